/**
 * What a page asks to be told of when the collector has taken it: nothing, for no event of the log says when that was. A collector that never
 * comes is one that a page has to reckon with anyway.
 */
import { construct } from '../natives.js';

/** @param {import('../patch.js').Patcher} patch */
export function installCollected(patch) {
  patch.constructor('FinalizationRegistry', (Original) => {
    /** @param {any} callback */
    function FinalizationRegistry(callback) {
      return construct(Original, [typeof callback === 'function' ? nobody : callback], /** @type {any} */ (new.target));
    }
    return FinalizationRegistry;
  });
}

function nobody() {}
