/** Waiting for what the browser does by itself, with a deadline: nothing in a replay may wait for ever. */
import { newPromise } from '../more-natives.js';
import { append, splice } from '../natives.js';

/** A window that is not shown has no frames. */
const FRAME_MS = 1_000;

/** What has just come about is told of with the next frame, or with one after. */
const FRAMES_TO_TELL = 3;

/** @param {import('../natives.js').Realm} realm */
export function createWaiting(realm) {
  /** @type {{ready: () => boolean, resolve: (came: boolean) => void}[]} */
  const waiting = [];

  /** Something changed that somebody may be waiting for. */
  function changed() {
    for (let i = waiting.length - 1; i >= 0; i -= 1) {
      if (waiting[i].ready()) {
        splice(waiting, i, 1)[0].resolve(true);
      }
    }
  }

  /** @type {string[]} */
  let missed = [];
  let ticking = false;

  /** Events of animations, observers and scrolling come with frames, and a browser makes none that nobody asks for. */
  function askForFrames() {
    if (!ticking && waiting.length > 0) {
      ticking = true;
      realm.requestAnimationFrame(realm.global, () => {
        ticking = false;
        changed();
        askForFrames();
      });
    }
  }

  /**
   * @param {() => boolean} ready
   * @param {number} milliseconds
   * @returns {Promise<boolean>} whether it came before the deadline
   */
  function until(ready, milliseconds) {
    return new newPromise((resolve) => {
      if (ready()) {
        resolve(true);
        return;
      }
      const entry = { ready, resolve };
      append(waiting, entry);
      askForFrames();
      realm.setTimeout(
        realm.global,
        () => {
          for (let i = 0; i < waiting.length; i += 1) {
            if (waiting[i] === entry) {
              splice(waiting, i, 1);
              resolve(entry.ready());
            }
          }
        },
        milliseconds,
      );
    });
  }

  /** Waits until the browser is about to paint; where it does not, not for ever. */
  async function nextFrame() {
    let passed = false;
    realm.requestAnimationFrame(realm.global, () => {
      passed = true;
      changed();
    });
    await until(() => passed, FRAME_MS);
  }

  return {
    changed,
    until,
    nextFrame,
    /**
     * For what the log says is to come: what does not come is told of when the page is looked at next.
     * @param {() => boolean} ready
     * @param {number} milliseconds
     * @param {string} what
     */
    async expect(ready, milliseconds, what) {
      if (!(await until(ready, milliseconds))) {
        append(missed, what);
      }
    },
    /** What did not come, since this was last asked. */
    missed() {
      const all = missed;
      missed = [];
      return all;
    },
    /**
     * For what comes with the frames that come next, or not at all.
     * @param {() => boolean} ready
     */
    async nextFrames(ready) {
      for (let i = 0; i < FRAMES_TO_TELL && !ready(); i += 1) {
        await nextFrame();
      }
    },
    /**
     * Runs something in a task of its own, so that an exception is reported as the page's, and comes back when all
     * its microtasks have run.
     * @param {() => void} run
     * @returns {Promise<void>}
     */
    turn(run) {
      return new newPromise((resolve) => {
        realm.nextTurn(run);
        realm.nextTurn(resolve);
      });
    },
  };
}

/** @typedef {ReturnType<typeof createWaiting>} Waiting */
