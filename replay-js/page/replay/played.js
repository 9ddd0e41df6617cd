/**
 * What a script does with its animations: it plays them, holds them, turns them round, and puts them somewhere. The browser's
 * clock moves none of them in a replay (`animations.js`): where one stands follows from what the script did last, and from the
 * log's time that has passed since. To the page it plays all the same.
 */
import { abs, max } from '../more-natives.js';
import { apply, newWeakMap, objectTag } from '../natives.js';
import { NEXT_FRAME_MS } from './log-frames.js';

/** Made by style sheets: the browser's, whatever a script does with them. */
const STYLED = { __proto__: null, '[object CSSTransition]': true, '[object CSSAnimation]': true };

/** @param {any} animation */
export function isMadeByStyle(animation) {
  return STYLED[/** @type {'[object CSSAnimation]'} */ (objectTag(animation))] === true;
}

/** What a script calls, and whether an animation that plays goes on playing then. */
const CONTROLS = { __proto__: null, play: true, pause: false, reverse: true, finish: false, cancel: false, updatePlaybackRate: true };

/**
 * @typedef {{runs: boolean, from: number, since: number}} Course plays from a time of its own since one of the log's frames
 */

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('../patch.js').Patcher} patch
 * @param {import('./log-frames.js').LogFrames} frames
 * @param {(animation: any) => boolean} isHeld what a style moves, and is held on its way
 * @param {() => number} now
 */
export function createPlayed(realm, patch, frames, isHeld, now) {
  /** @type {{get: (animation: any) => Course | undefined, set: (animation: any, course: Course) => void, has: (animation: any) => boolean}} */
  const courses = newWeakMap();
  let movedAt = -Infinity;
  const Animation = realm.global.Animation?.prototype;

  /**
   * Those that follow a scroll position have no time, but the page's.
   * @param {any} animation
   */
  function isOurs(animation) {
    return !isMadeByStyle(animation) && realm.isTimed(animation);
  }

  /**
   * It goes on from where it is by the browser, which is kept from moving it.
   * @param {any} animation
   * @param {boolean} runs
   * @param {number} since
   */
  function enter(animation, runs, since) {
    const from = realm.animationTime(animation) ?? 0;
    courses.set(animation, { runs, from, since });
    if (runs) {
      realm.pauseAnimation(animation);
      realm.setAnimationTime(animation, from);
    }
  }

  /** @param {any} animation */
  function placeOf(animation) {
    const course = courses.get(animation);
    return course?.runs ? course.from + max(frames.passed(course.since, now()), 0) * realm.animationRate(animation) : undefined;
  }

  /**
   * What a script does with one, from where it stands by now. One that rests may play from then on: where it is put back, or turned round
   * at its end.
   * @param {any} animation
   * @param {boolean} goesOn
   * @param {number} since
   * @param {() => any} act
   */
  function control(animation, goesOn, since, act) {
    const place = placeOf(animation);
    if (place !== undefined) {
      realm.setAnimationTime(animation, place);
    }
    const answer = act();
    if (isOurs(animation)) {
      enter(animation, realm.animationState(animation) === 'running' || (goesOn && place !== undefined), since);
    }
    return answer;
  }

  for (const name in Animation ? CONTROLS : undefined) {
    patch.method(Animation, name, (original) => ({
      [name]() {
        return control(this, CONTROLS[/** @type {'play'} */ (name)], frames.begins(now()), () => apply(original, this, arguments));
      },
    })[name]);
  }

  patch.accessor(Animation, 'currentTime', (get, set) => ({
    get currentTime() {
      return placeOf(this) ?? apply(get, this, []);
    },
    set currentTime(/** @type {any} */ time) {
      control(this, true, frames.timeAt(now()), () => apply(set, this, [time]));
    },
  }));

  patch.accessor(Animation, 'playbackRate', (get, set) => ({
    get playbackRate() {
      return apply(get, this, []);
    },
    set playbackRate(/** @type {any} */ rate) {
      control(this, true, frames.timeAt(now()), () => apply(set, this, [rate]));
    },
  }));

  patch.accessor(Animation, 'playState', (get) => ({
    get playState() {
      const state = apply(get, this, []);
      return courses.get(this)?.runs || isHeld(this) ? 'running' : state;
    },
  }));

  return {
    /**
     * Where it stands now; nothing where it does not play.
     * @param {any} animation
     */
    placeOf(animation) {
      if (isOurs(animation) && !courses.has(animation)) {
        enter(animation, realm.animationState(animation) === 'running', frames.playsFrom(now(), realm.animationEnd(animation) / abs(realm.animationRate(animation))));
        const course = courses.get(animation);
        if (course?.runs) {
          // What the browser's clock has moved it by since it began is nobody's time.
          course.from = 0;
        }
      }
      const place = placeOf(animation);
      movedAt = place === undefined ? movedAt : now();
      return place;
    },
    /** Whether something is on its way, or has just come to its end. */
    moves: () => now() - movedAt <= NEXT_FRAME_MS,
    /** @param {any} animation */
    ends(animation) {
      movedAt = now();
      realm.finishAnimation(animation);
      courses.set(animation, { runs: false, from: 0, since: 0 });
    },
  };
}

/** @typedef {ReturnType<typeof createPlayed>} Played */
