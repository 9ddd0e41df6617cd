/**
 * What a script does with its animations: it plays them, holds them, turns them round, and puts them somewhere. The browser's
 * clock moves none of them in a replay (`animations.js`): where one stands follows from what the script did last, and from the
 * log's time that has passed since. To the page it plays all the same.
 */
import { apply, newWeakMap, objectTag } from '../natives.js';

/** Made by style sheets: the browser's, whatever a script does with them. */
const STYLED = { __proto__: null, '[object CSSTransition]': true, '[object CSSAnimation]': true };

/** @param {any} animation */
export function isMadeByStyle(animation) {
  return STYLED[/** @type {'[object CSSAnimation]'} */ (objectTag(animation))] === true;
}

/** After these it plays. */
const STARTS = { __proto__: null, play: true, reverse: true };

const CONTROLS = ['play', 'pause', 'reverse', 'finish', 'cancel', 'updatePlaybackRate'];

/**
 * @typedef {{runs: boolean, from: number, since: number}} Course plays from a time of its own since a time of the log
 */

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('../patch.js').Patcher} patch
 * @param {() => number} now
 */
export function createPlayed(realm, patch, now) {
  /** @type {{get: (animation: any) => Course | undefined, set: (animation: any, course: Course) => void, has: (animation: any) => boolean}} */
  const courses = newWeakMap();
  const Animation = realm.global.Animation?.prototype;

  /**
   * It goes on from where it is by the browser, which is kept from moving it.
   * @param {any} animation
   * @param {boolean} runs
   */
  function enter(animation, runs) {
    const from = realm.animationTime(animation) ?? 0;
    courses.set(animation, { runs, from, since: now() });
    if (runs) {
      realm.pauseAnimation(animation);
      realm.setAnimationTime(animation, from);
    }
  }

  /** @param {any} animation */
  function placeOf(animation) {
    const course = courses.get(animation);
    return course?.runs ? course.from + (now() - course.since) * realm.animationRate(animation) : undefined;
  }

  for (let i = 0; Animation && i < CONTROLS.length; i += 1) {
    const name = CONTROLS[i];
    patch.method(Animation, name, (original) => ({
      [name]() {
        const place = placeOf(this);
        const ran = place !== undefined;
        if (ran) {
          realm.setAnimationTime(this, place);
        }
        const answer = apply(original, this, arguments);
        if (!isMadeByStyle(this)) {
          enter(this, STARTS[/** @type {'play'} */ (name)] === true || (name === 'updatePlaybackRate' && ran));
        }
        return answer;
      },
    })[name]);
  }

  patch.accessor(Animation, 'currentTime', (get, set) => ({
    get currentTime() {
      return placeOf(this) ?? apply(get, this, []);
    },
    set currentTime(/** @type {any} */ time) {
      const runs = courses.has(this) ? courses.get(this)?.runs === true : realm.animationState(this) === 'running';
      apply(set, this, [time]);
      if (!isMadeByStyle(this)) {
        enter(this, runs);
      }
    },
  }));

  patch.accessor(Animation, 'playbackRate', (get, set) => ({
    get playbackRate() {
      return apply(get, this, []);
    },
    set playbackRate(/** @type {any} */ rate) {
      const place = placeOf(this);
      if (place !== undefined) {
        realm.setAnimationTime(this, place);
      }
      apply(set, this, [rate]);
      if (place !== undefined) {
        enter(this, true);
      }
    },
  }));

  patch.accessor(Animation, 'playState', (get) => ({
    get playState() {
      return courses.get(this)?.runs ? 'running' : apply(get, this, []);
    },
  }));

  return {
    /**
     * Where it stands now; nothing where it does not play.
     * @param {any} animation
     */
    placeOf(animation) {
      if (!courses.has(animation)) {
        enter(animation, realm.animationState(animation) === 'running');
        const course = courses.get(animation);
        if (course?.runs) {
          // What the browser's clock has moved it by since it began is nobody's time.
          course.from = 0;
        }
      }
      return placeOf(animation);
    },
    /** @param {any} animation */
    ends(animation) {
      realm.finishAnimation(animation);
      courses.set(animation, { runs: false, from: 0, since: 0 });
    },
  };
}

/** @typedef {ReturnType<typeof createPlayed>} Played */
