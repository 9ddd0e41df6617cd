/**
 * Sound and films go by the page's clock: how far one has come when the page asks, or somebody has stopped it, is what it would be by the
 * log's times, and not by those of a replay, which takes as long as it likes. Where it stands of itself nobody can tell it to.
 */
import { min } from '../more-natives.js';
import { apply, getterOf, newWeakMap } from '../natives.js';

/** A jump that a script asks for is told of later, at this place or one of the film's own near it. */
const NEAR_S = 0.05;

/** @typedef {{base: number, since: number, runs: boolean, sought: number}} Course in seconds of the film, from when on by the page's clock */

/**
 * @param {import('../natives.js').Realm} realm
 * @param {() => number} now
 */
export function createMedia(realm, now) {
  const { prototype } = realm.global.HTMLMediaElement;
  const ownTime = getterOf(prototype, 'currentTime');
  const lengthOf = getterOf(prototype, 'duration');
  const rateOf = getterOf(prototype, 'playbackRate');
  const loops = getterOf(prototype, 'loop');
  /** @type {{get: (element: any) => Course | undefined, set: (element: any, course: Course | undefined) => void}} */
  const courses = newWeakMap();

  /** @param {any} element */
  function timeOf(element) {
    const course = courses.get(element);
    if (!course) {
      return ownTime(element);
    }
    const { base, since, runs } = course;
    const time = runs ? base + ((now() - since) / 1000) * rateOf(element) : base;
    const length = lengthOf(element);
    if (!(length > 0)) {
      return time;
    }
    return loops(element) ? time % length : min(time, length);
  }

  /**
   * @param {any} element
   * @param {boolean} runs
   * @param {number} [base]
   * @param {number} [sought]
   */
  function goOn(element, runs, base = timeOf(element), sought = NaN) {
    courses.set(element, { base, since: now(), runs, sought });
  }

  /** What becomes of one without a call: by the browser's own buttons, or at its end. */
  const TOLD = {
    __proto__: null,
    play: (/** @type {any} */ element) => courses.get(element)?.runs || goOn(element, true),
    pause: (/** @type {any} */ element) => courses.get(element)?.runs && goOn(element, false),
    ended: (/** @type {any} */ element) => goOn(element, false, lengthOf(element)),
    emptied: (/** @type {any} */ element) => courses.set(element, undefined),
    /** @param {any} element */
    seeking(element) {
      const { runs = false, sought = NaN } = courses.get(element) ?? {};
      const time = ownTime(element);
      if (!(time - sought < NEAR_S && sought - time < NEAR_S)) {
        goOn(element, runs, time);
      }
    },
  };

  return {
    timeOf,
    /**
     * @param {import('../natives.js').Realm} own
     * @param {import('../patch.js').Patcher} patch
     */
    install(own, patch) {
      const { HTMLMediaElement } = own.global;
      for (const type in TOLD) {
        own.addEventListener(
          own.global,
          type,
          (/** @type {any} */ event) => {
            const element = own.eventTarget(event);
            const name = event.isTrusted && element.nodeType === 1 && own.localName(element);
            if (name === 'audio' || name === 'video') {
              TOLD[/** @type {'play'} */ (type)](element);
            }
          },
          true,
        );
      }

      patch.method(HTMLMediaElement.prototype, 'play', (original) => ({
        play() {
          const promise = apply(original, this, arguments);
          TOLD.play(this);
          return promise;
        },
      }).play);

      patch.method(HTMLMediaElement.prototype, 'pause', (original) => ({
        pause() {
          apply(original, this, arguments);
          TOLD.pause(this);
        },
      }).pause);

      patch.accessor(HTMLMediaElement.prototype, 'currentTime', (get, set) => ({
        get currentTime() {
          return courses.get(this) ? timeOf(this) : apply(get, this, []);
        },
        set currentTime(/** @type {any} */ time) {
          apply(set, this, [time]);
          const course = courses.get(this);
          if (course) {
            goOn(this, course.runs, ownTime(this), ownTime(this));
          }
        },
      }));

      patch.accessor(HTMLMediaElement.prototype, 'playbackRate', (get, set) => ({
        get playbackRate() {
          return apply(get, this, []);
        },
        set playbackRate(/** @type {any} */ rate) {
          const course = courses.get(this);
          if (course) {
            goOn(this, course.runs);
          }
          apply(set, this, [rate]);
        },
      }));
    },
  };
}

/** @typedef {ReturnType<typeof createMedia>} Media */
