/** Native events that have come and wait until the log has them. */
import { append, splice } from '../natives.js';
import { messageIn } from '../sources/hosts.js';
import { addressOf } from './loading.js';
import { isMadeAddress } from './made-addresses.js';

/**
 * @typedef {object} Held
 * @property {string} type
 * @property {any} target
 * @property {any} event
 * @property {boolean} [anothers] it is likely to be of something else, and stands for what the log has if nothing else does
 */

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./log.js').Log} log
 * @param {import('./waiting.js').Waiting} waiting
 * @param {import('./targets.js').Targets} targets
 */
export function createHeldEvents(realm, log, waiting, targets) {
  /** @type {Held[]} */
  const held = [];

  /**
   * @param {string} type
   * @param {(target: any) => boolean} isTarget
   * @param {(event: any) => boolean} isIt
   * @param {boolean} [anothers]
   */
  function find(type, isTarget, isIt, anothers = false) {
    for (let i = 0; i < held.length; i += 1) {
      if (held[i].type === type && (anothers || !held[i].anothers) && isTarget(held[i].target) && isIt(held[i].event)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * @param {any} event
   * @param {string} type
   * @param {any} target
   * @param {boolean} [anothers]
   */
  function hold(event, type, target, anothers) {
    realm.stopImmediatePropagation(event);
    append(held, { type, target, event, anothers });
    waiting.changed();
  }

  /** Whether the log still has something that loads this. @param {any} address */
  const isLogged = (address) => log.next(({ what }) => what.data?.src === address) !== undefined;

  return {
    /** @type {(event: any, type: string, target: any) => void} */
    hold: (event, type, target) => hold(event, type, target),

    /**
     * Nobody listens yet, and perhaps nobody will: pictures that a page has drawn are known by nothing, and most are never listened to.
     * @param {any} event
     * @param {string} type
     * @param {any} target
     */
    holdUnheard(event, type, target) {
      const address = addressOf(target);
      hold(event, type, target, isMadeAddress(address) && !isLogged(address));
    },

    /** What had been stopped before. @param {Held} kept */
    add(kept) {
      append(held, kept);
    },

    /**
     * The native target of a logged event: an element that loads something is known by what it loads, for it need not be
     * in the document. Pictures that the page has drawn itself are other bytes in each browser.
     * @param {any} what
     * @returns {(target: any) => boolean}
     */
    fits(what) {
      const src = what.data?.src;
      const loads = typeof src === 'string';
      const isMade = loads && isMadeAddress(src);
      return (target) => {
        const address = addressOf(target);
        if (loads && !isMade && address !== src) {
          return false;
        }
        const { target: found } = targets.find(what.target);
        // Several elements may load the same: where the log's is there, it is that one. What has come early may stand elsewhere by its turn.
        const isAnothers = isMade && address !== src;
        if (!loads || target === found || (found && (isAnothers || addressOf(found) === src))) {
          return target === found || (!found && targets.isApart(what.target, target));
        }
        return address === src || (isMade && isMadeAddress(address) && !isLogged(address));
      };
    },

    /**
     * @param {string} type
     * @param {(target: any) => boolean} isTarget
     * @param {(event: any) => boolean} [isIt]
     */
    has: (type, isTarget, isIt = () => true) => find(type, isTarget, isIt) >= 0,

    /**
     * @param {string} type
     * @param {(target: any) => boolean} isTarget
     * @param {(event: any) => boolean} [isIt]
     * @returns {Held | undefined}
     */
    take(type, isTarget, isIt = () => true) {
      const likely = find(type, isTarget, isIt);
      const at = likely < 0 ? find(type, isTarget, isIt, true) : likely;
      return at < 0 ? undefined : splice(held, at, 1)[0];
    },

    /**
     * Messages of several documents come in any order: the one that the log has next is put before the others.
     * @param {string} type
     * @param {(target: any) => boolean} isTarget
     * @param {string} said
     * @param {number} patience
     */
    async bringForward(type, isTarget, said, patience) {
      const isIt = (/** @type {any} */ event) => messageIn(event, type) === said;
      await waiting.until(() => find(type, isTarget, isIt) >= 0, patience);
      const at = find(type, isTarget, isIt);
      if (at > 0) {
        splice(held, 0, 0, splice(held, at, 1)[0]);
      }
    },
  };
}

/** @typedef {ReturnType<typeof createHeldEvents>} HeldEvents */
