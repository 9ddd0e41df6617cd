/**
 * Brings the log to the proxy: at most every 100 ms, and only when there is something.
 *
 * One request is under way at a time, so that lines arrive in order; one that fails is sent again with the next. When
 * the page goes away everything left is handed to `sendBeacon`, whose limit of 64 KB is why little is ever kept back.
 */
import { append, join, splice } from '../natives.js';
import { encode } from '../json.js';
import { takeLine } from './engine.js';

const INTERVAL_MS = 100;
/** Bodies of `keepalive` requests and beacons may have 64 KiB between them. */
const CHUNK = 60_000;
/** What may wait in memory while the proxy cannot be reached. */
const KEPT = 8_000_000;

/**
 * @param {import('../natives.js').Realm} realm
 * @param {string} endpoint
 */
export function createWire(realm, endpoint) {
  /** @type {string[]} */
  const lines = [];
  /** @type {import('./engine.js').OpenEvent[]} */
  const waiting = [];
  let size = 0;
  let underWay = false;
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
    for (let i = 0; i < waiting.length; i += 1) {
      keep(encode(takeLine(waiting[i])));
    }
    waiting.length = 0;
  }

  function soon() {
    if (!scheduled) {
      scheduled = true;
      realm.setTimeout(realm.global, flush, INTERVAL_MS);
    }
  }

  /** Takes the lines that fit into one body: at least one. */
  function takeChunk() {
    let count = 0;
    let bytes = 0;
    while (count < lines.length && (count === 0 || bytes + lines[count].length < CHUNK)) {
      bytes += lines[count].length + 1;
      count += 1;
    }
    size -= bytes;
    return splice(lines, 0, count);
  }

  function flush() {
    scheduled = false;
    drain();
    if (underWay || lines.length === 0) {
      return;
    }
    underWay = true;
    const chunk = takeChunk();
    const body = join(chunk, '\n');
    // `no-cors`, because a sandboxed document has no origin of its own.
    const options = { __proto__: null, method: 'POST', body, keepalive: body.length < CHUNK, mode: 'no-cors', credentials: 'omit', cache: 'no-store' };
    realm.then(
      realm.fetch(realm.global, url, options),
      () => over(null),
      () => over(chunk),
    );
  }

  /** @param {string[] | null} unsent */
  function over(unsent) {
    underWay = false;
    for (let i = 0; unsent !== null && i < unsent.length; i += 1) {
      splice(lines, i, 0, unsent[i]);
      size += unsent[i].length + 1;
    }
    if (overflowed && size < KEPT / 2) {
      overflowed = false;
      keep(encode({ notice: { kind: 'not-kept', text: 'The log could not be sent for so long that events were lost.' } }));
    }
    if (lines.length > 0) {
      soon();
    }
  }

  /** The page goes away, or may: nothing is kept back. */
  function flushAtEnd() {
    drain();
    while (lines.length > 0) {
      const chunk = takeChunk();
      if (!realm.sendBeacon?.(realm.global.navigator, url, join(chunk, '\n'))) {
        over(chunk);
        return;
      }
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
    flush,
    flushAtEnd,
  };
}
