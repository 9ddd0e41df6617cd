/**
 * A pointer that is to stay where it is, and one that is there already. What passes below them is told in the log's order, whenever the
 * browser sees it.
 */
import { isPassing } from './native-events.js';

/**
 * @param {import('./pointer.js').Pointer} pointer
 * @param {() => import('./log.js').Logged[]} announced
 */
export function createResting(pointer, announced) {
  /** Where the pointer is to go. */
  let aimed = { x: -1, y: -1 };
  /** Firefox and WebKit bring no move to where the pointer is already; a driver of Chromium could record one. */
  let alreadyThere = false;
  let isResting = false;
  let restsAt = { x: -1, y: -1 };

  /** A move that was made on the spot has come, so that the browser has looked what lies there, whether `:hover` follows or not. */
  let hasLooked = false;

  /**
   * Whether the page moved below the pointer, and this tells of it.
   * @param {import('./log.js').Logged} logged
   */
  function isPassed(logged) {
    return isPassing(logged.what.type) && (pointer.isPassed(logged) || (isResting && pointer.isLeftAgain(logged, announced())));
  }

  return {
    isResting: () => isResting,
    isPassed,

    /** @param {{x: number, y: number}} point */
    aimAt(point) {
      aimed = point;
    },

    /** An input comes. @param {boolean} rests */
    begin(rests) {
      isResting = rests;
      restsAt = pointer.place();
      hasLooked = false;
      alreadyThere = pointer.isAt(aimed);
    },

    end() {
      isResting = false;
      hasLooked = false;
    },

    /**
     * @param {any} event
     * @param {any} target
     */
    moved(event, target) {
      pointer.moved(event, target);
      hasLooked = isResting && pointer.isAt(restsAt);
    },

    /** @param {import('./log.js').Logged} logged */
    isIdleMove({ what }) {
      return alreadyThere && (what.type === 'pointermove' || what.type === 'mousemove');
    },

    /**
     * Whether the browser has seen what passed, and tells no more of it.
     * @param {import('./log.js').Logged} logged
     */
    isSeen(logged) {
      return (isResting ? isPassing(logged.what.type) : isPassed(logged)) && (hasLooked || pointer.isKnown());
    },
  };
}

/** @typedef {ReturnType<typeof createResting>} Resting */
