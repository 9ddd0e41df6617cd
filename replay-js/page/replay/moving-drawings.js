/**
 * Drawings that move by themselves, by SVG's own elements (`<animate>`). Each has a time of its own, which the browser's clock
 * moves from whenever the drawing came. In a replay all of them are held, and put where they are by the log's time; what
 * a script does with that time it does to ours. Of a drawing in which all goes on for ever nothing comes, and it
 * stays where it begins, as what style sheets move does.
 */
import { append, apply, getterOf, indexOf, join, newWeakMap, uncurry } from '../natives.js';

const MOTIONS = ['animate', 'animateTransform', 'animateMotion', 'set', 'discard'];

/** What times from the drawing's beginning are written in, such as `1.5s`: others begin when something happens. */
const OFFSET = ' 0123456789.:+-;hmins';

const OF_DRAWINGS = { __proto__: null, beginEvent: true, endEvent: true, repeatEvent: true };

/** @param {string} type of an event */
export function isOfDrawing(type) {
  return OF_DRAWINGS[/** @type {'endEvent'} */ (type)] === true;
}

/**
 * How much later something may be due here than the log has it, one after the other: when a drawing began, the log does not say.
 */
const LATER_MS = [0, 20, 40, 80, 160, 320];

/**
 * @typedef {{runs: boolean, from: number, since: number, put: number, goes: boolean, seen: number}} DrawingCourse
 *   plays from a time of its own since a time of the log; was put somewhere last
 */

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('../patch.js').Patcher} patch
 * @param {import('./log.js').Log} log
 * @param {() => number} now
 */
export function createMovingDrawings(realm, patch, log, now) {
  const { global, document } = realm;
  const { Event: Happening } = global;
  const Drawing = global.SVGSVGElement.prototype;
  const pause = uncurry(Drawing.pauseAnimations);
  const isPaused = uncurry(Drawing.animationsPaused);
  const timeOf = uncurry(Drawing.getCurrentTime);
  const setTime = uncurry(Drawing.setCurrentTime);
  const startOf = uncurry(global.SVGAnimationElement.prototype.getStartTime);
  const drawingOf = getterOf(global.SVGElement.prototype, 'ownerSVGElement');
  const allInDocument = uncurry(global.Document.prototype.getElementsByTagNameNS);
  const selector = join(MOTIONS, ',');
  const allInShadow = uncurry(global.DocumentFragment.prototype.querySelectorAll);
  /** @type {{get: (drawing: any) => DrawingCourse | undefined, set: (drawing: any, course: DrawingCourse) => void}} */
  const courses = newWeakMap();
  /** What goes on for ever comes round, where the page listens. */
  const areHeard = log.next(({ what }) => isOfDrawing(what.type)) !== undefined;
  let looks = 0;

  /** @param {any} drawing */
  function courseOf(drawing) {
    let course = courses.get(drawing);
    if (!course) {
      course = { runs: true, from: 0, since: now(), put: -1, goes: false, seen: 0 };
      courses.set(drawing, course);
    }
    return course;
  }

  /** Milliseconds from its beginning. @param {DrawingCourse} course */
  function placeOf(course) {
    return course.runs ? course.from + now() - course.since : course.from;
  }

  /**
   * @param {any} drawing
   * @param {boolean} runs
   * @param {number} from
   */
  function enter(drawing, runs, from) {
    const course = courseOf(drawing);
    course.runs = runs;
    course.from = from;
    course.since = now();
  }

  /**
   * @param {any} motion
   * @param {DrawingCourse} course of its drawing
   */
  function hasBegun(motion, course) {
    try {
      return startOf(motion) * 1000 <= placeOf(course);
    } catch {
      // Nothing is known of a beginning.
      return false;
    }
  }

  /** Whether more comes of this motion than the same again and again. @param {any} motion */
  function leadsOn(motion) {
    const begins = realm.getAttribute(motion, 'begin');
    const forEver = realm.getAttribute(motion, 'repeatCount') === 'indefinite' || realm.getAttribute(motion, 'repeatDur') === 'indefinite';
    return areHeard || !forEver || (begins !== null && !isOffset(begins));
  }

  /** The drawings that these are in, one in another. @param {any} motions */
  function find(motions) {
    for (let i = 0; i < motions.length; i += 1) {
      const goes = leadsOn(motions[i]);
      for (let drawing = drawingOf(motions[i]); drawing; drawing = drawingOf(drawing)) {
        const course = courseOf(drawing);
        course.goes = goes || (course.seen === looks && course.goes);
        course.seen = looks;
      }
    }
  }

  /** @param {any} motions */
  function put(motions) {
    for (let i = 0; i < motions.length; i += 1) {
      for (let drawing = drawingOf(motions[i]); drawing; drawing = drawingOf(drawing)) {
        const course = courseOf(drawing);
        const place = course.goes ? placeOf(course) : 0;
        if (!isPaused(drawing)) {
          pause(drawing);
        }
        // A drawing's time only begins when its document is there.
        if (place !== course.put || realm.readyState(document) !== 'complete') {
          setTime(drawing, place / 1000);
          course.put = place;
        }
      }
    }
  }

  patch.method(Drawing, 'pauseAnimations', (original) => ({
    pauseAnimations() {
      apply(original, this, arguments);
      enter(this, false, placeOf(courseOf(this)));
    },
  }).pauseAnimations);

  patch.method(Drawing, 'unpauseAnimations', () => ({
    unpauseAnimations() {
      // Asked of anything else, this is an error, and the browser says so.
      isPaused(this);
      enter(this, true, placeOf(courseOf(this)));
    },
  }).unpauseAnimations);

  patch.method(Drawing, 'animationsPaused', (original) => ({
    animationsPaused() {
      apply(original, this, arguments);
      return !courseOf(this).runs;
    },
  }).animationsPaused);

  patch.method(Drawing, 'setCurrentTime', (original) => ({
    setCurrentTime() {
      apply(original, this, arguments);
      enter(this, courseOf(this).runs, timeOf(this) * 1000);
    },
  }).setCurrentTime);

  return {
    /**
     * The log says that something has become of this motion: its drawing is put where that is so here. Chromium does not tell
     * that one has begun whose drawing is put on before the next frame.
     * @param {string} type of the event that tells
     * @param {any} motion
     * @param {(isOver: () => boolean) => Promise<void>} wait
     * @param {() => boolean} hasCome
     * @returns {Promise<any>} an event, where the browser does not tell
     */
    async come(type, motion, wait, hasCome) {
      const course = motion && drawingOf(motion) && courseOf(drawingOf(motion));
      const from = course?.from;
      for (let i = 0; course && i < LATER_MS.length && !hasCome(); i += 1) {
        course.from = from + LATER_MS[i];
        put([motion]);
        await wait(hasCome);
        if (type === 'beginEvent' && !hasCome() && hasBegun(motion, course)) {
          return new Happening(type);
        }
      }
      if (course && !hasCome()) {
        course.from = from;
      }
      return undefined;
    },

    /** @param {any[]} roots of shadows */
    step(roots) {
      looks += 1;
      /** @type {any[]} */
      const all = [];
      // It is asked at each event, and by name the browser keeps what it has found until elements come or go.
      for (let i = 0; i < MOTIONS.length; i += 1) {
        append(all, allInDocument(document, '*', MOTIONS[i]));
      }
      for (let i = 0; i < roots.length; i += 1) {
        append(all, allInShadow(roots[i], selector));
      }
      for (let i = 0; i < all.length; i += 1) {
        find(all[i]);
      }
      for (let i = 0; i < all.length; i += 1) {
        put(all[i]);
      }
    },
  };
}

/** @param {string} begins */
function isOffset(begins) {
  for (let i = 0; i < begins.length; i += 1) {
    if (indexOf(OFFSET, begins[i]) < 0) {
      return false;
    }
  }
  return true;
}

/** @typedef {ReturnType<typeof createMovingDrawings>} MovingDrawings */
