/**
 * A driver that pictures no more than the window moves the page below it for the rest, another one makes the view larger for
 * a moment, and an observer of what comes into view sees that. It is told nothing of it: before, what it has still to tell is
 * told; after, the page stands where it stood, and what was seen meanwhile has come to nobody.
 */
import { getterOf, uncurry } from '../natives.js';

/** A window that is not shown has no frames, and nobody is told of anything. */
const PATIENCE_MS = 1_000;

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('./waiting.js').Waiting} waiting
 */
export function createPosing(realm, waiting) {
  const { global } = realm;
  const Observer = global[OBSERVER];
  const observe = Observer && uncurry(Observer.prototype.observe);
  const disconnect = Observer && uncurry(Observer.prototype.disconnect);
  const view = [getterOf(global, 'scrollX'), getterOf(global, 'scrollY'), getterOf(global, 'innerWidth'), getterOf(global, 'innerHeight')];
  let isPosing = false;
  let isObserved = false;
  /** @type {number[]} */
  let stood = [];

  /** Whether the page stands as it did before it was moved. */
  function stands() {
    for (let i = 0; i < view.length; i += 1) {
      if (stood[i] !== view[i](global)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Browsers tell the observers of a document one after another, in the order in which they were made: when one that is made
   * now has been told, all have, of all that can be seen by now. Frames that pass say nothing of that: each browser tells
   * in a task of its own, some time after.
   */
  async function allTold() {
    const root = realm.document.documentElement;
    if (!root) {
      return;
    }
    let told = false;
    const last = new Observer(() => {
      told = true;
      waiting.changed();
    });
    observe(last, root);
    await waiting.until(() => told, PATIENCE_MS);
    disconnect(last);
    await waiting.turn(() => {});
  }

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
      if (begins && isObserved) {
        await allTold();
        for (let i = 0; i < view.length; i += 1) {
          stood[i] = view[i](global);
        }
        isPosing = true;
      } else if (isPosing) {
        await waiting.until(stands, PATIENCE_MS);
        await allTold();
        isPosing = false;
      }
    },
  };
}

const OBSERVER = 'IntersectionObserver';

/** @typedef {ReturnType<typeof createPosing>} Posing */
