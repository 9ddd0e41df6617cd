/**
 * Streams that the browser feeds, read piece by piece. How the network cut a body into pieces is one of the answers the
 * page got: recording logs the size of each, replaying gives the same bytes in the same pieces.
 *
 * Whoever asks for such a stream gets one of our own, which reads the browser's as the log says. What the page pipes it
 * through, and streams that it makes, then do what their own code says.
 */
import { apply, newWeakMap } from '../natives.js';

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../record/engine.js').Engine} engine
 * @param {import('../patch.js').Patcher} patch
 */
export function installStreams({ global }, engine, patch) {
  const { ReadableStream, Response, Blob } = global;
  const getReader = ReadableStream?.prototype.getReader;
  const read = global.ReadableStreamDefaultReader?.prototype.read;
  const known = newWeakMap();

  /** @param {any} stream */
  function own(stream) {
    let given = known.get(stream);
    if (!given) {
      /** @type {any} */
      let reader;
      const source = {
        __proto__: null,
        type: 'bytes',
        async pull(/** @type {any} */ controller) {
          // Not before: who has asked for the stream may read the body otherwise.
          reader ??= apply(getReader, stream, []);
          const { done, value } = await engine.read('ReadableStreamDefaultReader.read', reader, () => apply(read, reader, []));
          if (done) {
            controller.close();
            controller.byobRequest?.respond(0);
          } else {
            controller.enqueue(value);
          }
        },
        cancel: (/** @type {any} */ reason) => (reader ?? stream).cancel(reason),
      };
      try {
        given = new ReadableStream(source);
      } catch {
        given = new ReadableStream({ ...source, type: undefined }, { highWaterMark: 0 });
      }
      known.set(stream, given);
    }
    return given;
  }

  patch.accessor(Response?.prototype, 'body', (get) => ({
    get body() {
      const stream = apply(get, this, []);
      // A response without an address was made by the page.
      return stream && this.url ? own(stream) : stream;
    },
  }));
  patch.method(Blob?.prototype, 'stream', (original) => ({
    stream() {
      return own(apply(original, this, []));
    },
  }).stream);
}

/**
 * @param {{done: boolean, value: any}} result
 * @returns {number | undefined} undefined for the end
 */
export function sizeOfPiece({ done, value }) {
  return done ? undefined : value.byteLength;
}
