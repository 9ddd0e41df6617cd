/**
 * The pieces of streams, cut as the log has them, however the network cut them this time.
 *
 * A read begins in the browser when the page begins it. What it brings is joined and cut when the log says that the
 * page's read is over.
 */
import { append, newWeakMap, splice, then } from '../natives.js';
import { sizeOfPiece } from '../sources/streams.js';

/**
 * @typedef {object} Pieces
 * @property {any} rest what came and was not asked for yet, or null
 * @property {Promise<any>[]} coming the browser's own reads
 * @property {number} asked the page's reads that are not over
 */

/** @param {import('./realm.js').ReplayRealm} realm */
export function createPieces(realm) {
  /** @type {WeakMap<object, Pieces>} */
  const known = newWeakMap();

  /** @param {Promise<any>} promise which the page must not hear of when it fails */
  function quiet(promise) {
    then(promise, () => {}, () => {});
    return promise;
  }

  return {
    /**
     * The page asks for a piece.
     * @param {any} source
     * @param {() => Promise<any>} start
     */
    ask(source, start) {
      let pieces = known.get(source);
      if (!pieces) {
        pieces = { rest: null, coming: [], asked: 0 };
        known.set(source, pieces);
      }
      pieces.asked += 1;
      if (pieces.coming.length + (pieces.rest === null ? 0 : 1) < pieces.asked) {
        append(pieces.coming, quiet(start()));
      }
      return pieces;
    },

    /**
     * @param {Pieces} pieces
     * @param {number | undefined} size as logged
     * @param {() => Promise<any>} start
     * @returns {Promise<any>} what a read gives
     */
    async take(pieces, size, start) {
      pieces.asked -= 1;
      for (;;) {
        const { rest } = pieces;
        if (rest !== null && size !== undefined && rest.length >= size) {
          pieces.rest = rest.length > size ? realm.partOfBytes(rest, size, rest.length) : null;
          return { done: false, value: rest.length > size ? realm.partOfBytes(rest, 0, size) : rest };
        }
        const next = pieces.coming[0] ?? quiet(start());
        const result = await next;
        if (rest !== null && result.done) {
          // The stream ends before the log's did, or goes on otherwise.
          pieces.coming[0] ??= next;
          pieces.rest = null;
          return { done: false, value: rest };
        }
        splice(pieces.coming, 0, 1);
        if (size === undefined || sizeOfPiece(result) === undefined) {
          return result;
        }
        pieces.rest = rest === null ? result.value : realm.joinedBytes(rest, result.value);
      }
    },
  };
}
