/** Waiting until a page has come to rest, or until it is clear that it does not in time, and why. */
import { newPromise } from '../more-natives.js';
import { append, getterOf } from '../natives.js';

/** Between two looks at what is under way. */
const LOOK_MS = 10;

/** Longer ones of the page's animations are scenery. */
const LONGEST_ANIMATION_MS = 3_000;

/**
 * @typedef {object} Asked
 * @property {number} for_ms so long nothing must have happened
 * @property {number} deadline_ms
 * @property {number} timers_ms timers that are due later do not count
 * @property {number} open_ms requests that are under way for longer are taken for ones that stay open
 * @property {boolean} [stays] a navigation that was begun has come to nothing: a download, an answer without a document
 */

/**
 * @param {import('../replay/realm.js').ReplayRealm} realm
 * @param {import('./activity.js').Activity} activity
 * @param {{lookForShadows: () => void}} changes
 */
export function createQuiet(realm, activity, changes) {
  const { global } = realm;
  const playState = global.Animation && getterOf(global.Animation.prototype, 'playState');
  const currentTime = global.Animation && getterOf(global.Animation.prototype, 'currentTime');
  let leaving = false;
  realm.addEventListener(global, 'beforeunload', () => {
    leaving = true;
  });
  realm.addEventListener(global, 'pageshow', () => {
    leaving = false;
    activity.touch();
  });
  realm.addEventListener(global, 'load', () => activity.touch());

  function animations() {
    let running = 0;
    const all = realm.getAnimations(global.document);
    for (let i = 0; i < all.length; i += 1) {
      const left = realm.animationEnd(all[i]) - (currentTime(all[i]) ?? 0);
      if (playState(all[i]) === 'running' && realm.isTimed(all[i]) && left <= LONGEST_ANIMATION_MS) {
        running += 1;
      }
    }
    return running;
  }

  /** @param {Asked} asked */
  function look(asked) {
    changes.lookForShadows();
    const { busy, stays } = activity.list(asked);
    if (realm.readyState(global.document) !== 'complete') {
      append(busy, 'the document is loading');
    }
    const running = animations();
    if (running > 0) {
      append(busy, running === 1 ? 'an animation' : running + ' animations');
    }
    // If nothing else is waited for, it is known when to look again.
    const left = busy.length === 0 ? asked.for_ms - activity.idle() : LOOK_MS;
    if (busy.length === 0 && left > 0) {
      append(busy, 'the page keeps changing');
    }
    return { busy, stays, next: left < LOOK_MS ? left : LOOK_MS };
  }

  return {
    /**
     * @param {Asked} asked
     * @returns {Promise<any>}
     */
    wait(asked) {
      const began = realm.now();
      leaving = leaving && asked.stays !== true;
      return new newPromise((resolve) => {
        const again = () => {
          const { busy, stays, next } = look(asked);
          const late = realm.now() - began >= asked.deadline_ms;
          if (leaving || busy.length === 0 || late) {
            resolve({ __proto__: null, quiet: busy.length === 0 && !leaving, leaving, busy, stays, url: global.location.href });
          } else {
            realm.setTimeout(global, again, next);
          }
        };
        again();
      });
    },
  };
}
