/**
 * Frames that a page takes away as soon as they have told it something: their load event never came, or comes here while what
 * they have told still waits for its turn. It waits with it, and is nobody's if the frame has gone by then.
 */
import { append, slice, splice } from '../natives.js';

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./log.js').Log} log
 */
export function createFramesTakenAway(realm, log) {
  /** @type {{event: any, target: any}[]} */
  const waiting = [];

  /** Something is to be told before a person does anything. */
  const isToldSoon = () => log.beforeGesture(({ what }) => what.type === 'message') !== undefined;

  return {
    /**
     * @param {any} event that the log does not have
     * @param {string} type
     * @param {any} target
     */
    keep(event, type, target) {
      const keeps = type === 'load' && slice(target.localName ?? '', -5) === 'frame' && isToldSoon();
      if (keeps) {
        append(waiting, { event, target });
      }
      return keeps;
    },

    /** The page has been told: what waited and is still somebody's. */
    told() {
      /** @type {typeof waiting} */
      const there = [];
      const all = isToldSoon() ? [] : splice(waiting, 0, waiting.length);
      for (let i = 0; i < all.length; i += 1) {
        if (realm.isConnected(all[i].target)) {
          append(there, all[i]);
        }
      }
      return there;
    },
  };
}
