/**
 * A driver that pictures no more than the window moves the page below it for the rest, another one makes the view larger for
 * a moment, and an observer of what comes into view sees that. It is told nothing of it: a frame before, what it has still to tell is told; a frame after, the page stands
 * where it stood.
 */

/** @param {import('./waiting.js').Waiting} waiting */
export function createPosing(waiting) {
  let isPosing = false;
  let isObserved = false;

  return {
    /**
     * Whether a delivery is the page's doing.
     * @param {string} identity of who is given it
     */
    isOwn: (identity) => !(isPosing && identity === OBSERVER),
    /** @param {string} identity of somebody who will be given something */
    noteObserver(identity) {
      isObserved ||= identity === OBSERVER;
    },
    /** @param {boolean} begins or is over */
    async pose(begins) {
      if (isObserved || isPosing) {
        await waiting.nextFrame();
        await waiting.nextFrame();
        isPosing = begins;
      }
    },
  };
}

const OBSERVER = 'IntersectionObserver';

/** @typedef {ReturnType<typeof createPosing>} Posing */
