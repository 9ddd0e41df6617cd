/**
 * Streams that are read piece by piece. How the network cut a body into pieces is one of the answers the page got:
 * recording logs the size of each, replaying gives the same bytes in the same pieces.
 */
import { apply, getPrototypeOf, objectTag } from '../natives.js';

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../record/engine.js').Engine} engine
 * @param {import('../patch.js').Patcher} patch
 */
export function installStreams({ global }, engine, patch) {
  const { ReadableStream } = global;
  const reader = global.ReadableStreamDefaultReader?.prototype;
  patch.method(reader, 'read', (original) => readOf(engine, 'ReadableStreamDefaultReader.read', original));
  // What `for await (const piece of stream)` calls; there is no name that leads to it.
  const iterator = ReadableStream?.prototype.values && getPrototypeOf(new ReadableStream().values());
  patch.method(iterator, 'next', (original) => readOf(engine, 'ReadableStreamAsyncIterator.next', original));
}

/**
 * @param {import('../record/engine.js').Engine} engine
 * @param {string} api
 * @param {any} original
 */
function readOf(engine, api, original) {
  return {
    held() {
      return engine.read(api, this, () => apply(original, this, []));
    },
  }.held;
}

/**
 * @param {{done: boolean, value: any}} result
 * @returns {number | undefined} undefined for the end, and for pieces that cannot be cut
 */
export function sizeOfPiece({ done, value }) {
  if (done) {
    return undefined;
  }
  return typeof value === 'string' ? value.length : objectTag(value) === '[object Uint8Array]' ? value.byteLength : undefined;
}
