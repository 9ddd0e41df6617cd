/** Weak references: what one holds stays for as long as it does, since what a collector takes, and when, could not be given again. */
import { construct, newWeakMap } from '../natives.js';

/** @param {import('../patch.js').Patcher} patch */
export function installReferences(patch) {
  const held = newWeakMap();
  patch.constructor('WeakRef', (Original) => {
    /** @param {any} target */
    function WeakRef(target) {
      const made = construct(Original, [target], /** @type {any} */ (new.target));
      held.set(made, target);
      return made;
    }
    return WeakRef;
  });
}
