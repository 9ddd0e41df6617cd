/** What moved came to rest here before the log says so: its element need not stand yet where the log has it. */
import { append, splice } from '../natives.js';

/** @param {import('./log.js').Log} log */
export function createRested(log) {
  /** @type {{type: string, target: any, event: any}[]} */
  const rested = [];

  return {
    /**
     * @param {any} event
     * @param {string} type
     * @param {any} target
     */
    keep(event, type, target) {
      if (log.next(({ what }) => what.type === type && what.data?.animation === moved(event))) {
        append(rested, { type, target, event });
      }
    },
    /**
     * What has come to rest of this element, if it has.
     * @param {any} what
     * @param {(target: any) => boolean} isTarget
     */
    recall(what, isTarget) {
      for (let i = 0; i < rested.length; i += 1) {
        const { type, target, event } = rested[i];
        if (type === what.type && isTarget(target) && moved(event) === what.data?.animation) {
          return splice(rested, i, 1)[0];
        }
      }
      return undefined;
    },
  };
}

/** The property or animation that an event tells of. @param {any} event */
function moved(event) {
  return event.propertyName ?? event.animationName;
}

/**
 * Whether an event tells of the same that has moved, where it tells of that at all.
 * @param {any} data
 * @returns {(event: any) => boolean}
 */
export function isOf(data) {
  return (event) => data?.animation === undefined || (moved(event) === data.animation && (event.pseudoElement ?? '') === (data.pseudo ?? ''));
}

/** @typedef {ReturnType<typeof createRested>} Rested */
