/**
 * Brings the log to the proxy: every 100 ms while there is something, and at once after a click or a key (or 50 ms after
 * it, when they come fast: a request takes the page a millisecond), because a script that drives the browser may end it
 * right after its last one, and then no page hears of its end.
 *
 * One request is under way at a time, so that lines arrive in order; one that fails is sent again before the next. When
 * the page goes away everything left is handed to `sendBeacon`, whose limit of 64 KB is why little is ever kept back.
 *
 * Firefox stops whatever script runs when its page is navigated away, at any call or turn of a loop: what is written down
 * and what is crossed off for it stand side by side, with no call between.
 *
 * A request that the page's end cut off fails here and may have arrived all the same, so batches have numbers: the
 * proxy takes each of them once.
 */
import { append, splice } from '../natives.js';
import { encode } from '../json.js';
import { lineOf } from './engine.js';

const INTERVAL_MS = 100;
/** What follows on a gesture that was sent at once, and the gestures right after it. */
const HURRY_MS = 50;
/** Bodies of `keepalive` requests and beacons may have 64 KiB between them. */
const CHUNK = 60_000;
/** What may wait in memory while the proxy cannot be reached. */
const KEPT = 8_000_000;

/**
 * @param {import('../natives.js').Realm} realm
 * @param {string} endpoint
 */
export function createWire(realm, endpoint) {
  /** @typedef {{ number: number, body: string }} Batch */
  /** @type {string[]} */
  const lines = [];
  /** How many of them are in a batch. */
  let taken = 0;
  /** @type {Batch[]} */
  const unsent = [];
  let batches = 0;
  /** @type {import('./engine.js').OpenEvent[]} */
  const waiting = [];
  /** How many of them are in `lines`. */
  let drained = 0;
  let size = 0;
  /** @type {Batch | null} */
  let underWay = null;
  let scheduled = false;
  let hurried = false;
  let overflowed = false;
  // Absolute, because a <base> would lead it elsewhere.
  const url = realm.global.location.origin + endpoint + '/log?';

  /** @param {string} line */
  function keep(line) {
    if (size > KEPT) {
      overflowed = true;
      return;
    }
    append(lines, line);
    size += line.length + 1;
  }

  function drain() {
    while (drained < waiting.length) {
      const event = waiting[drained];
      const line = encode(lineOf(event));
      event.written = true;
      event.waiting = false;
      event.local = null;
      drained += 1;
      if (size > KEPT) {
        overflowed = true;
      } else {
        lines[lines.length] = line;
        size += line.length + 1;
      }
    }
    waiting.length = drained = 0;
  }

  function soon() {
    if (!scheduled) {
      scheduled = true;
      realm.setTimeout(realm.global, flush, INTERVAL_MS);
    }
  }

  /**
   * What failed comes first; otherwise the lines that fit into one body, at least one.
   *
   * @returns {Batch | null}
   */
  function takeBatch() {
    if (unsent.length > 0) {
      const batch = splice(unsent, 0, 1)[0];
      size -= batch.body.length + 1;
      return batch;
    }
    if (lines.length === 0) {
      return null;
    }
    let body = lines[taken];
    let next = taken + 1;
    for (; next < lines.length && body.length + lines[next].length < CHUNK; next += 1) {
      body += '\n' + lines[next];
    }
    size -= body.length + 1;
    taken = next;
    if (next === lines.length) {
      lines.length = taken = 0;
    }
    batches += 1;
    return { number: batches, body };
  }

  function flush() {
    scheduled = false;
    drain();
    const batch = underWay ? null : takeBatch();
    if (batch === null) {
      return;
    }
    underWay = batch;
    const { body } = batch;
    // `no-cors`, because a sandboxed document has no origin of its own.
    const options = { __proto__: null, method: 'POST', body, keepalive: body.length < CHUNK, mode: 'no-cors', credentials: 'omit', cache: 'no-store' };
    realm.then(
      realm.fetch(realm.global, url + batch.number, options),
      () => over(null),
      () => over(batch),
    );
  }

  /** @param {Batch | null} failed */
  function over(failed) {
    underWay = null;
    if (failed !== null) {
      splice(unsent, 0, 0, failed);
      size += failed.body.length + 1;
    }
    if (overflowed && size < KEPT / 2) {
      overflowed = false;
      keep(encode({ notice: { kind: 'lost' } }));
    }
    if (unsent.length > 0 || lines.length > 0) {
      soon();
    }
  }

  /**
   * The page goes away, or may: nothing is kept back.
   *
   * @param {boolean} leaving the last words, which the end of a recording waits for
   */
  function flushAtEnd(leaving) {
    drain();
    if (leaving) {
      keep('{"bye":1}');
    }
    // The page's end may cut off what is under way, and nobody would be told.
    if (underWay !== null) {
      realm.sendBeacon?.(realm.global.navigator, url + underWay.number, underWay.body);
    }
    hand();
  }

  /** Hands all there is to the browser, which does not need the page to go on. */
  function hand() {
    for (let batch = takeBatch(); batch !== null; batch = takeBatch()) {
      if (!realm.sendBeacon?.(realm.global.navigator, url + batch.number, batch.body)) {
        over(batch);
        return;
      }
    }
  }

  /** As long as more comes, so that somebody who types costs a request now and then, and not one for each key. */
  function followUp() {
    hurried = waiting.length > 0;
    if (hurried) {
      flush();
      realm.setTimeout(realm.global, followUp, HURRY_MS);
    }
  }

  return {
    /** @param {any} line */
    send(line) {
      keep(encode(line));
      soon();
    },
    /** @param {import('./engine.js').OpenEvent} event */
    queue(event) {
      append(waiting, event);
      soon();
    },
    /** What came so far while the browser still counts it as under way, and then what it led to. */
    hurry() {
      if (!hurried) {
        hurried = true;
        drain();
        hand();
        realm.setTimeout(realm.global, followUp, HURRY_MS);
      }
    },
    flushAtEnd,
  };
}
