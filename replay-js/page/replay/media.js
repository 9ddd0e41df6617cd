/**
 * Sound and films go by the page's clock: how far one has come when the page asks is what it was told then, and where nobody asked, or
 * more is asked than there was, what it would be by the log's times from there, and not by those of a replay, which takes as long as it
 * likes. Where it stands of itself nobody can tell it to.
 */
import { includes, min } from '../more-natives.js';
import { append, apply, getterOf, newWeakMap, splice } from '../natives.js';

/** A jump that a script asks for is told of later, at this place or one of the film's own near it. */
const NEAR_S = 0.05;

/** A game makes an element for each shot. */
const MOST_APART = 64;

/** @typedef {{base: number, since: number, runs: boolean, sought: number}} Course in seconds of the film, from when on by the page's clock */

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./engine.js').ReplayEngine} engine
 */
export function createMedia(realm, engine) {
  const { now } = engine.virtualTime;
  const { prototype } = realm.global.HTMLMediaElement;
  const ownTime = getterOf(prototype, 'currentTime');
  const lengthOf = getterOf(prototype, 'duration');
  const rateOf = getterOf(prototype, 'playbackRate');
  const loops = getterOf(prototype, 'loop');
  const isPaused = getterOf(prototype, 'paused');
  /** @type {{get: (element: any) => Course | undefined, set: (element: any, course: Course | undefined) => void}} */
  const courses = newWeakMap();
  const heard = newWeakMap();
  /** @type {any[]} what stands in no document of this window: who was told of its time last comes last */
  const apart = [];

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

  /**
   * What stands in no document or in a shadow tree is not seen at the window.
   * @param {import('../natives.js').Realm} own
   * @param {any} element
   */
  function begin(own, element) {
    if (!heard.has(element)) {
      heard.set(element, true);
      listen(own, element);
    }
    if (!realm.isConnected(element) && !includes(apart, element)) {
      append(apart, element);
      if (apart.length > MOST_APART) {
        splice(apart, 0, 1);
      }
    }
    TOLD.play(element);
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

  /**
   * @param {import('../natives.js').Realm} own
   * @param {any} target
   */
  function listen(own, target) {
    for (const type in TOLD) {
      own.addEventListener(
        target,
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
  }

  return {
    timeOf,
    /**
     * One that stands in no document, which no path leads to: of several that go on the one that has waited for longest.
     * @param {(element: any) => boolean} isIt
     */
    apart(isIt) {
      let found = -1;
      for (let i = 0; i < apart.length; i += 1) {
        if (isIt(apart[i]) && (found < 0 || (isPaused(apart[found]) && !isPaused(apart[i])))) {
          found = i;
        }
      }
      const [element] = found < 0 ? [null] : splice(apart, found, 1);
      if (element) {
        append(apart, element);
      }
      return element;
    },
    /**
     * @param {import('../natives.js').Realm} own
     * @param {import('../patch.js').Patcher} patch
     */
    install(own, patch) {
      const { HTMLMediaElement } = own.global;
      listen(own, own.global);

      patch.method(HTMLMediaElement.prototype, 'play', (original) => ({
        play() {
          const promise = apply(original, this, arguments);
          begin(own, this);
          return promise;
        },
      }).play);

      patch.method(HTMLMediaElement.prototype, 'pause', (original) => ({
        pause() {
          apply(original, this, arguments);
          TOLD.pause(this);
        },
      }).pause);

      patch.accessor(HTMLMediaElement.prototype, 'currentTime', (_get, set) => ({
        get currentTime() {
          const logged = engine.answer('HTMLMediaElement.currentTime', () => undefined);
          const course = courses.get(this);
          if (course && logged !== undefined) {
            goOn(this, course.runs, logged, course.sought);
          }
          return course ? timeOf(this) : (logged ?? ownTime(this));
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
