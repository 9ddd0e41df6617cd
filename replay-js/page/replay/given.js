/**
 * Events that no browser is asked for: how many come, and when, is up to each engine, or what would bring them rests. They
 * are made when the log says so.
 */

import { abs } from '../more-natives.js';

/** What rests does not come round. */
export const ROUND = 'animationiteration';

/** Of the streams, what an engine may not have at all. */
const NOT_EVERYWHERE = { __proto__: null, scrollend: true, pointerrawupdate: true };

/** Those of the streams that bubble; and some do at elements only, or at documents only. */
const BUBBLES = { __proto__: null, select: true, visibilitychange: true };
/** @type {any} */
const BUBBLES_AT = { __proto__: null, 1: { __proto__: null, selectionchange: true }, 9: { __proto__: null, scroll: true, scrollend: true } };

/** The end is a fraction of a pixel further than one can come to. */
const AT_END = 2;
/** Further than any page goes. */
const FAR = 1e7;

/**
 * @param {{
 *   realm: import('./realm.js').ReplayRealm,
 *   findings: import('./findings.js').Findings,
 *   targets: import('./targets.js').Targets,
 *   animations: import('./animations.js').Animations,
 *   dragging: import('./dragging.js').Dragging,
 *   media: import('./media.js').Media,
 *   onTheWay: import('./on-the-way.js').OnTheWay,
 * }} parts
 */
export function createGiven({ realm, findings, targets, animations, dragging, media, onTheWay }) {
  /** Where the last key was to come to, and did not. */
  let missed = /** @type {any} */ (null);

  return {
    performStream,
    scrolledTo,
    lead,
    comeRound,
    /**
     * A key came to another element than the log's, which does not scroll now, or it came to its own.
     * @param {any} from
     */
    strayed(from) {
      missed = from;
    },
  };

  /**
   * @param {import('./log.js').Logged} logged
   * @param {(run: () => void) => Promise<void>} runIn
   */
  async function performStream({ id, what }, runIn) {
    const target = targets.find(what.target).target ?? media.apart((element) => targets.isApart(what.target, element));
    const isAbsent = NOT_EVERYWHERE[/** @type {'scrollend'} */ (what.type)] && !('on' + what.type in realm.global);
    if (isAbsent || (what.type === 'scroll' && target?.nodeType === 1 && isIn(missed, target))) {
      findings.diverged(id, 'event-missing', what.type + ' on ' + targets.describe(what.target), 'nothing');
    } else if (target) {
      await runIn(() => stream(what, target));
    } else {
      findings.diverged(id, 'target-missing', targets.describe(what.target), 'nothing');
    }
  }

  /**
   * @param {import('./log.js').Logged} logged
   * @param {(run: () => void) => Promise<void>} runIn
   */
  async function lead({ id, what }, runIn) {
    const { target } = targets.find(what.target);
    if (!target) {
      findings.diverged(id, 'target-missing', targets.describe(what.target), 'nothing');
      return;
    }
    const note = dragging.noteOn(what);
    if (note) {
      findings.note(id, note);
    }
    await runIn(() => dragging.give(target, what, targets.related(what)));
  }

  /**
   * @param {any} what
   * @param {(run: () => void) => Promise<void>} runIn
   */
  async function comeRound(what, runIn) {
    const { target } = targets.find(what.target);
    const animationName = what.data?.animation;
    if (!target || !animations.hasBegun(target, animationName)) {
      return 'nothing';
    }
    await runIn(() => realm.dispatchEvent(target, new realm.interfaces.AnimationEvent(ROUND, { animationName, bubbles: true })));
    return undefined;
  }

  /**
   * Where the log says that something is scrolled to when its event comes; at its end, if it was there.
   * @param {any} what
   * @param {any} [target] the window without it
   */
  function scrolledTo(what, target) {
    const scroll = what.data?.scroll;
    // Of the visual viewport there is nothing to tell.
    if (typeof scroll?.[1] === 'number') {
      const scrolled = target?.nodeType === 1 ? target : realm.global;
      onTheWay.came(target?.nodeType === 1 ? target : realm.document.scrollingElement);
      realm.scrollTo(scrolled, stopAt(scroll[0], scroll[2]), stopAt(scroll[1], scroll[3]));
    }
  }

  /**
   * @param {any} what
   * @param {any} target
   */
  function stream(what, target) {
    if (what.type === 'scroll') {
      scrolledTo(what, target);
    }
    realm.dispatchEvent(target, new realm.interfaces.Event(what.type, { bubbles: BUBBLES[/** @type {'select'} */ (what.type)] === true || BUBBLES_AT[target.nodeType]?.[what.type] === true }));
  }
}

/**
 * @param {number} at below zero where a page is read from the right
 * @param {number} [end] unknown in older traces
 */
function stopAt(at, end) {
  const isAtEnd = at !== 0 && end !== undefined && abs(at) > end - AT_END;
  return isAtEnd ? (at < 0 ? -FAR : FAR) : at;
}

/**
 * @param {any} node
 * @param {any} holder
 */
function isIn(node, holder) {
  let at = node;
  while (at && at !== holder) {
    at = at.parentNode;
  }
  return at === holder;
}

/** @typedef {ReturnType<typeof createGiven>} Given */
