/**
 * What a style moves goes by the time of the log's frames while the page may see that, which it may in all that it is told of meanwhile: it
 * measures boxes on their way, or asks what lies at a point. Of pages that ask what moves, every transition is held a hair's breadth
 * before its end, and looks as if it had come. What the page hears the end of is held there until the log says so: of that the browser
 * itself is to tell, so that what listeners leave to microtasks has been done before the next listener runs. Whatever else moves is over at
 * once: what is held is painted apart, and in WebKit looks a little otherwise.
 */
import { max, min } from '../more-natives.js';
import { append, newWeakMap, objectTag } from '../natives.js';
import { firstFrom } from './log-frames.js';
import { isAnimated, tellsOfEnd } from './native-events.js';
import { A_HAIR_MS, VERY_BUSY_MS } from './sizes.js';

const TRANSITION = '[object CSSTransition]';

/** Nothing of what moves is shown at the end of these, and each browser hides other things: they are over at once. */
const HIDES = { __proto__: null, display: true, 'content-visibility': true, overlay: true };

/** These move nothing that can be measured. */
const PAINTS = { __proto__: null, opacity: true, visibility: true, filter: true, 'backdrop-filter': true, 'box-shadow': true, 'text-shadow': true, color: true, 'background-color': true, 'border-top-color': true, 'border-right-color': true, 'border-bottom-color': true, 'border-left-color': true, 'outline-color': true, 'text-decoration-color': true, 'caret-color': true, fill: true, stroke: true };

/** A timer that a page sets for the end comes before it: what is set off begins with the next frame, on the average half of one later. */
const HALF = 0.5;

/** Browsers tell times to a tenth of a millisecond. */
const COARSE_MS = 0.1;

/** @typedef {import('./log.js').Logged} Logged */
/** @typedef {{since: number, length: number, end: Logged | null, isMeasured: boolean, isHeld: boolean, isShown: boolean, easing: string}} Way in the time that frames are told, shown at its end or not */

/** @param {any} animation */
export const isTransition = (animation) => objectTag(animation) === TRANSITION;

/** What events call it by. @param {any} animation made by a style */
export const movedBy = (animation) => animation.animationName ?? animation.transitionProperty;

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./log.js').Log} log
 * @param {import('./log-frames.js').LogFrames} frames
 * @param {import('./targets.js').Targets} targets
 * @param {boolean} asks whether the page may ask what moves
 * @param {() => number} now
 */
export function createUnderWay(realm, log, frames, targets, asks, now) {
  /** @type {Logged[]} */
  const ends = [];
  /** When the page may see where something is. @type {number[]} */
  const sights = [];
  for (let i = 0; i < log.ordered.length; i += 1) {
    const { type } = log.ordered[i].what;
    if (tellsOfEnd(type)) {
      append(ends, log.ordered[i]);
    }
    if (!isAnimated(type)) {
      append(sights, log.ordered[i].at);
    }
  }
  /** @type {{get: (animation: any) => Way | undefined, set: (animation: any, way: Way) => void}} */
  const ways = newWeakMap();

  /**
   * What the log has of its end.
   * @param {any} animation
   * @param {number} length
   */
  function endOf(animation, length) {
    const name = movedBy(animation);
    const type = isTransition(animation) ? 'transitionend' : 'animationend';
    const last = now() + length + VERY_BUSY_MS;
    for (let i = 0; i < ends.length && ends[i].at <= last; i += 1) {
      const { done, what } = ends[i];
      const isOf = !done && what.type === type && what.data?.animation === name && (what.data.pseudo ?? '') === (animation.effect.pseudoElement ?? '');
      if (isOf && targets.is(what.target, animation.effect.target)) {
        return ends[i];
      }
    }
    return null;
  }

  /**
   * @param {any} animation
   * @param {number} length
   * @param {boolean} isThere
   * @returns {Way}
   */
  function begin(animation, length, isThere) {
    const from = now();
    const canMove = length > realm.animationDelay(animation) + A_HAIR_MS && animation.effect?.target && !HIDES[/** @type {'display'} */ (animation.transitionProperty)];
    const isMoved = canMove && !PAINTS[/** @type {'opacity'} */ (animation.transitionProperty)];
    const sight = sights[firstFrom(from + A_HAIR_MS, sights.length, (i) => sights[i])];
    const end = canMove ? endOf(animation, length) : null;
    const isMeasured = !isThere && isMoved && sight !== undefined && sight < from + length;
    const since = end ? frames.beginsBefore(from, end.at, length) : frames.begins(from, HALF);
    const isKept = canMove && (isMeasured || end !== null || (asks && isTransition(animation)));
    if (isKept) {
      realm.pauseAnimation(animation);
    }
    return { since: isThere ? -Infinity : since, length, end, isMeasured, isHeld: isKept, isShown: false, easing: isTransition(animation) ? realm.animationEasing(animation) : '' };
  }

  /**
   * @param {any} animation
   * @param {Way} way
   */
  function showEnd(animation, way) {
    if (way.isShown) {
      return;
    }
    way.isShown = true;
    realm.setAnimationTime(animation, way.length - A_HAIR_MS);
    if (way.easing) {
      realm.setAnimationEasing(animation, 'steps(1, start)');
    }
  }

  /**
   * @param {any} animation
   * @param {Way} way
   */
  function move(animation, way) {
    if (way.isShown && way.easing) {
      realm.setAnimationEasing(animation, way.easing);
    }
    way.isShown = false;
    // It tells that it has begun when it moves, not while it waits to.
    realm.setAnimationTime(animation, min(max(frames.passed(way.since, now()), realm.animationDelay(animation)), way.length - A_HAIR_MS));
  }

  /** @param {Way} way */
  function isOver({ since, length, end }) {
    return end ? now() >= end.at : frames.passed(since, now()) >= length - COARSE_MS;
  }

  return {
    /** Whether it rests because it is held here. @param {any} animation */
    isHeld: (animation) => ways.get(animation)?.isHeld === true && realm.animationState(animation) === 'paused',
    /** For a look at the page. @param {any} animation */
    show(animation) {
      const way = ways.get(animation);
      if (way?.isHeld) {
        showEnd(animation, way);
      }
    },
    /**
     * Puts it where it is by the time of the log.
     * @param {any} animation
     * @param {number} length until it ends
     * @param {boolean} isThere it has come, by the sizes that were told
     * @returns {boolean} whether it is on its way, or waits for the log at its end
     */
    hold(animation, length, isThere) {
      const way = ways.get(animation) ?? begin(animation, length, isThere);
      ways.set(animation, way);
      const isPast = isOver(way);
      way.isHeld &&= !isPast || way.end?.done === false;
      if (way.isHeld && !isPast && way.isMeasured) {
        move(animation, way);
      } else if (way.isHeld) {
        showEnd(animation, way);
      }
      return way.isHeld;
    },
  };
}

/** @typedef {ReturnType<typeof createUnderWay>} UnderWay */
