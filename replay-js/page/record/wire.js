/**
 * Brings the log to the proxy: every 50 ms while there is something, and at once after a click or a key, because a script
 * that drives the browser may end it right after its last one, and then no page hears of its end.
 *
 * By a WebSocket while one is open: a request takes the page's thread a millisecond, a message a tenth of that. It is opened
 * at once, before a policy in a `<meta>` counts. Before, and where it closes (Firefox does so when a navigation begins) or is
 * not allowed, by `sendBeacon`, which goes on when the page does not; its limit of 64 KB is why little is ever kept back.
 *
 * Firefox stops whatever script runs when its page is navigated away, at any call or turn of a loop: what is written down
 * and what is crossed off for it stand side by side, with no call between.
 *
 * What was said by a socket that closes may have arrived all the same, so batches have numbers: the proxy takes each of
 * them once.
 */
import { append, slice, splice } from '../natives.js';
import { encode } from '../json.js';
import { lineOf } from './engine.js';

const INTERVAL_MS = 50;
/** Beacons may have 64 KiB between them. */
const CHUNK = 60_000;
/** Batches that may go unconfirmed before others wait for them. */
const UNCONFIRMED = 8;
/** What may wait in memory while the proxy cannot be reached. */
const KEPT = 8_000_000;

/**
 * @param {import('../natives.js').Realm} realm
 * @param {string} endpoint
 * @param {boolean} sockets the document may open one
 */
export function createWire(realm, endpoint, sockets) {
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
  /** @type {any} open, or null */
  let socket = null;
  /** @type {Batch[]} what went by the socket and was not confirmed yet, oldest first */
  const told = [];
  let scheduled = false;
  let overflowed = false;
  // Absolute, because a <base> would lead it elsewhere.
  const url = realm.global.location.origin + endpoint + '/log';

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
    if (told.length < UNCONFIRMED) {
      hand(socket ? tell : post);
    }
  }

  /** @param {Batch} batch */
  function tell(batch) {
    told[told.length] = batch;
    realm.sendText(socket, batch.number + '\n' + batch.body);
    return true;
  }

  /**
   * @param {Batch} batch
   * @returns {any} false where the browser takes no more for now
   */
  function post({ number, body }) {
    const to = url + '?' + number;
    return body.length < CHUNK && realm.sendBeacon
      ? realm.sendBeacon(realm.global.navigator, to, body)
      : realm.then(realm.fetch(realm.global, to, { __proto__: null, method: 'POST', body, mode: 'no-cors' }), soon, soon);
  }

  /**
   * Hands all there is to the browser.
   * @param {(batch: Batch) => any} how
   */
  function hand(how) {
    for (let batch = takeBatch(); batch !== null; batch = takeBatch()) {
      if (!how(batch)) {
        putBack([batch]);
        return;
      }
    }
  }

  /** @param {Batch[]} failed */
  function putBack(failed) {
    for (let i = failed.length - 1; i >= 0; i -= 1) {
      splice(unsent, 0, 0, failed[i]);
      size += failed[i].body.length + 1;
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
    // The page's end may cut off what is under way, and nobody would be told: both ways are gone, for a beacon that has to pass a
    // service worker is lost with its page now and then.
    hand(socket ? tell : post);
    for (let i = 0; i < told.length; i += 1) {
      post(told[i]);
    }
    if (leaving && socket) {
      // An open one would keep the page from the browser's cache.
      realm.closeSocket(socket);
      socket = null;
    }
  }

  function connect() {
    const made = new realm.WebSocket('ws' + slice(url, 4));
    realm.addEventListener(made, 'open', () => {
      socket = made;
    });
    realm.addEventListener(made, 'message', () => {
      splice(told, 0, 1);
      putBack([]);
    });
    realm.addEventListener(made, 'close', () => {
      socket = null;
      putBack(splice(told, 0, told.length));
    });
  }

  if (sockets) {
    connect();
  }

  return {
    url,
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
    /** What came so far, while the browser still counts it as under way. */
    hurry() {
      drain();
      hand(socket ? tell : post);
    },
    flushAtEnd,
  };
}
