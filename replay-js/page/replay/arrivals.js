/**
 * Native events that the page gets when the log says so: load events and whatever else the browser brings by itself.
 * They are stopped at the window and dispatched again when due.
 */
import { append, splice } from '../natives.js';
import { messageIn } from '../sources/hosts.js';
import { dispatchAgain } from './dispatched-again.js';
import { isOfFocus, isOfWindow } from './elsewhere.js';
import { isOfLink } from './followed.js';
import { createFramesTakenAway } from './frames-taken-away.js';
import { ROUND, createGiven } from './given.js';
import { isMadeAddress } from './made-addresses.js';
import { isOfDrawing } from './moving-drawings.js';
import { MOVED_BELOW } from './pointer.js';
import { createRested, isOf } from './rested.js';

/** How many there are of these is up to the engine: the log's are given, the browser's own are swallowed. */
const STREAMS = { __proto__: null, scroll: true, scrollend: true, resize: true, selectionchange: true, select: true, progress: true, timeupdate: true, visibilitychange: true, online: true, offline: true, languagechange: true, mousemove: true, pointermove: true, pointerrawupdate: true, mouseover: true, mouseout: true, pointerover: true, pointerout: true, mouseenter: true, mouseleave: true, pointerenter: true, pointerleave: true };

/** Moves of the pointer from one element to another. */
const PASSING = { __proto__: null, mouseover: true, mouseout: true, pointerover: true, pointerout: true, mouseenter: true, mouseleave: true, pointerenter: true, pointerleave: true };

/** The browser brings these however long it takes. */
const CERTAIN = { __proto__: null, readystatechange: true, DOMContentLoaded: true, load: true, pageshow: true, error: true };

/** Failure and success of one thing: the log's is awaited, the other may come. */
const INSTEAD = { __proto__: null, load: 'error', error: 'load' };

/** When these come is up to the animation's clock, which is ours: the log's are brought about, others are swallowed. */
const ANIMATED = { __proto__: null, animationstart: true, animationiteration: true, animationend: true, animationcancel: true, transitionrun: true, transitionstart: true, transitionend: true, transitioncancel: true, beginEvent: true, endEvent: true, repeatEvent: true };

/** Of these, what transitions bring. */
const OF_TRANSITIONS = { __proto__: null, transitionrun: true, transitionstart: true, transitionend: true, transitioncancel: true };

/**
 * @param {{
 *   realm: import('./realm.js').ReplayRealm,
 *   log: import('./log.js').Log,
 *   engine: import('./engine.js').ReplayEngine,
 *   findings: import('./findings.js').Findings,
 *   waiting: import('./waiting.js').Waiting,
 *   targets: import('./targets.js').Targets,
 *   readyState: import('./ready-state.js').ReadyState,
 *   animations: import('./animations.js').Animations,
 *   inherited: import('./inherited.js').Inherited,
 *   restyled: import('./restyled.js').Restyled,
 *   traversals: import('./traversals.js').Traversals,
 *   dragging: import('./dragging.js').Dragging,
 *   opened: import('./opened.js').Opened,
 *   pointer: import('./pointer.js').Pointer,
 *   synthesise: import('./synthetic.js').Synthesise,
 * }} parts
 */
export function createArrivals({ realm, log, engine, findings, waiting, targets, readyState, animations, inherited, restyled, traversals, dragging, opened, pointer, synthesise }) {
  /** @type {{type: string, target: any, event: any}[]} */
  const held = [];
  const rested = createRested(log);
  const takenAway = createFramesTakenAway(realm, log);
  const given = createGiven({ realm, findings, targets, animations, dragging });
  /** The last event that the page listens to. */
  let heard = /** @type {any} */ (null);

  /**
   * @param {any} event
   * @param {string} type
   * @param {any} target
   */
  function hold(event, type, target) {
    realm.stopImmediatePropagation(event);
    append(held, { type, target, event });
    waiting.changed();
  }

  /**
   * The native target of a logged event: an element that loads something is known by what it loads, for it need not be
   * in the document. Pictures that the page has drawn itself are other bytes in each browser.
   * @param {any} what
   * @returns {(target: any) => boolean}
   */
  function fits(what) {
    const src = what.data?.src;
    const loads = typeof src === 'string';
    const isMade = loads && isMadeAddress(src);
    const isAnothers = (/** @type {any} */ address) => log.next((other) => other.what.data?.src === address);
    return (target) => {
      const address = addressOf(target);
      if (loads && !isMade && address !== src) {
        return false;
      }
      const { target: found } = targets.find(what.target);
      // Several elements may load the same: where the log's is there, it is that one.
      if (!loads || target === found || (found && (isMade || addressOf(found) === src))) {
        return target === found;
      }
      return address === src || (isMade && isMadeAddress(address) && !isAnothers(address));
    };
  }

  /**
   * @param {string} type
   * @param {(target: any) => boolean} isTarget
   * @param {(event: any) => boolean} [isIt]
   */
  function take(type, isTarget, isIt = () => true) {
    for (let i = 0; i < held.length; i += 1) {
      if (held[i].type === type && isTarget(held[i].target) && isIt(held[i].event)) {
        return splice(held, i, 1)[0];
      }
    }
    return undefined;
  }

  /**
   * @param {string} type
   * @param {(target: any) => boolean} isTarget
   * @param {(event: any) => boolean} [isIt]
   */
  function has(type, isTarget, isIt = () => true) {
    for (let i = 0; i < held.length; i += 1) {
      if (held[i].type === type && isTarget(held[i].target) && isIt(held[i].event)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Messages of several documents come in any order: the one that the log has next is put before the others.
   * @param {string} type
   * @param {(target: any) => boolean} isTarget
   * @param {string} said
   * @param {number} patience
   */
  async function bringForward(type, isTarget, said, patience) {
    const find = () => {
      for (let i = 0; i < held.length; i += 1) {
        if (held[i].type === type && isTarget(held[i].target) && messageIn(held[i].event, type) === said) {
          return i;
        }
      }
      return -1;
    };
    await waiting.until(() => find() >= 0, patience);
    const at = find();
    if (at > 0) {
      splice(held, 0, 0, splice(held, at, 1)[0]);
    }
  }

  /**
   * @param {any} event
   * @param {any} target
   */
  const redispatch = (event, target) => dispatchAgain(realm, event, target);

  /**
   * @param {string} type
   * @param {any} target
   */
  function extra(type, target) {
    findings.diverged(engine.nearest(), 'event-extra', 'nothing', type + ' on ' + targets.name(target));
  }

  /**
   * Of the pointer, over what has moved below it; other passings come with its next move.
   * @param {import('./log.js').Logged} logged
   * @param {(run: () => void) => Promise<void>} runIn
   */
  async function pass(logged, runIn) {
    if (!pointer.isPassed(logged)) {
      return;
    }
    await waiting.nextFrames(() => logged.done);
    logged.deferred = false;
    if (!logged.done) {
      const { target } = targets.find(logged.what.target);
      findings.note(logged.id, MOVED_BELOW);
      await runIn(() => realm.dispatchEvent(target, synthesise(logged.what, target, pointer.otherOf(logged))));
    }
  }

  /**
   * Whether what moves has come to where the log says, be it that nobody listened then.
   * @param {any} what
   * @param {(target: any) => boolean} isTarget
   */
  function hasRested(what, isTarget) {
    const kept = has(what.type, isTarget) ? undefined : rested.recall(what, isTarget);
    if (kept) {
      append(held, kept);
    }
    return has(what.type, isTarget);
  }

  /**
   * To whom an event comes that no driver brings: of a window that comes or goes, and of drawings, which tell that they have loaded
   * with the document, and only those that are in it by then.
   * @param {any} what
   */
  function givenHere({ type, target: located }) {
    if (type !== 'load' && !isOfFocus(type)) {
      return null;
    }
    const { target } = targets.find(located);
    const isDrawing = type === 'load' && target?.localName === 'svg';
    return isDrawing || isOfWindow(realm, type, target) ? target : null;
  }

  /** The loads of frames that have told the page something, and are still there. */
  async function giveFrames() {
    const loads = takenAway.told();
    for (let i = 0; i < loads.length; i += 1) {
      const { event, target } = loads[i];
      await waiting.turn(() => {
        extra('load', target);
        engine.begin(undefined);
        engine.inside(() => redispatch(event, target));
      });
    }
  }

  return {
    redispatch,
    /** @param {string} type */
    isPassing: (type) => PASSING[/** @type {'mouseover'} */ (type)] === true,
    /** @param {string} type */
    isStream: (type) => STREAMS[/** @type {'scroll'} */ (type)] === true,
    /**
     * Whether a derived event is given by us, and not awaited of the input.
     * @param {any} what
     */
    isHeldBack(what) {
      const { type } = what;
      const streams = STREAMS[/** @type {'scroll'} */ (type)] === true && type !== 'pointermove' && type !== 'mousemove' && !PASSING[/** @type {'mouseover'} */ (type)];
      return streams || ANIMATED[/** @type {'animationend'} */ (type)] === true || dragging.gives(what);
    },

    /**
     * What has been scrolled by a driver, or by the browser for itself, passes below the pointer before the page is told that it has
     * scrolled, which is when a replay scrolls it. What the page scrolls has an event before it that does.
     * @param {number} id of the last passing
     */
    scrollAhead(id) {
      const last = log.byId(id);
      let next = log.firstAfter(id, () => true);
      while (last && next?.what.type === 'scroll' && !pointer.isPassed(last)) {
        given.scrolledTo(next.what, targets.find(next.what.target).target);
        next = log.firstAfter(next.id, () => true);
      }
    },

    /**
     * It came before the gesture was announced that the log has it behind.
     * @param {any} what
     */
    hasCome: (what) => has(what.type, fits(what)),

    /** @param {any} event */
    isHeard(event) {
      heard = event;
    },

    strayed: given.strayed,

    /**
     * A native event to which nobody listens yet.
     * @param {any} event
     * @param {string} type
     * @param {any} target
     */
    unheard(event, type, target) {
      if (event === heard) {
        return;
      }
      if (type === 'popstate') {
        traversals.came();
      }
      if (ANIMATED[/** @type {'animationend'} */ (type)]) {
        rested.keep(event, type, target);
      } else if (log.beforeGesture(({ what }) => what.kind === 'dom' && what.type === type && fits(what)(target))) {
        hold(event, type, target);
      }
    },

    /**
     * A native event that no gesture announced.
     * @param {any} event
     * @param {string} type
     * @param {any} target
     */
    unannounced(event, type, target) {
      if (type === 'popstate') {
        traversals.came();
      }
      if (type === 'DOMContentLoaded') {
        opened.parsed();
      }
      if (readyState.native(type, target)) {
        const next = log.next(() => true);
        if (next && readyState.isDue(type, next)) {
          engine.begin(next, event);
          readyState.reached(next.what);
        } else {
          hold(event, type, target);
        }
        return;
      }
      if (STREAMS[/** @type {'scroll'} */ (type)]) {
        realm.stopImmediatePropagation(event);
        return;
      }
      if (type === ROUND) {
        realm.stopImmediatePropagation(event);
        return;
      }
      if (OF_TRANSITIONS[/** @type {'transitionend'} */ (type)]) {
        inherited.came(event, type, target);
      }
      const isLogged = (/** @type {any} */ what) => (what.type === type || what.type === INSTEAD[/** @type {'load'} */ (type)]) && fits(what)(target);
      if (log.next(({ what }) => what.kind === 'dom' && isLogged(what))) {
        hold(event, type, target);
        return;
      }
      if (ANIMATED[/** @type {'animationend'} */ (type)] || ((type === 'focus' || type === 'blur') && target.nodeType !== 1)) {
        // Which window a person works in is the desktop's affair.
        realm.stopImmediatePropagation(event);
        rested.keep(event, type, target);
        return;
      }
      if (type === 'toggle' && opened.expects(target)) {
        realm.stopImmediatePropagation(event);
        return;
      }
      if (log.endsEarly && (type === 'pageshow' || ((type === 'load' || type === 'error') && target.nodeType === 1))) {
        hold(event, type, target);
        return;
      }
      if (takenAway.keep(event, type, target)) {
        realm.stopImmediatePropagation(event);
        return;
      }
      extra(type, target);
      engine.begin(undefined, event);
    },

    /**
     * @param {import('./log.js').Logged} logged
     * @param {number} patience
     * @param {number} longPatience
     * @param {(run: () => void) => Promise<void>} runIn
     * @returns {Promise<string | undefined>} what came instead of the event, when it did not
     */
    async perform(logged, patience, longPatience, runIn) {
      const { type } = logged.what;
      if (PASSING[/** @type {'mouseover'} */ (type)] && log.defer(logged)) {
        await pass(logged, runIn);
        return undefined;
      }
      if (STREAMS[/** @type {'scroll'} */ (type)]) {
        await given.performStream(logged, runIn);
        return undefined;
      }
      if (dragging.gives(logged.what)) {
        await given.lead(logged, runIn);
        return undefined;
      }
      const target = fits(logged.what);
      if (type === 'transitionend' || type === 'animationend') {
        animations.finish(targets.find(logged.what.target).target, logged.what.data?.animation);
      } else if (type === ROUND) {
        return await given.comeRound(logged.what, runIn);
      }
      const isStep = type === 'popstate' || type === 'hashchange';
      if (isStep && !has(type, target) && traversals.isNeeded(logged.what.data?.url) && !isOfLink(log, (of) => targets.find(of).target, logged)) {
        traversals.make(logged.what.data.url);
      }
      if (ANIMATED[/** @type {'animationend'} */ (type)]) {
        hasRested(logged.what, target);
      }
      if (isOfDrawing(type)) {
        const motion = targets.find(logged.what.target).target;
        const untold = await animations.come(type, motion, (hasCome) => waiting.nextFrames(hasCome), () => hasRested(logged.what, target));
        if (untold) {
          await runIn(() => realm.dispatchEvent(motion, untold));
          return undefined;
        }
      }
      // Several things move of one element, and come to rest here all at once.
      const exactly = isOf(logged.what.data);
      const again = OF_TRANSITIONS[/** @type {'transitionend'} */ (type)] && inherited.again(logged.what);
      if (again) {
        await waiting.nextFrames(() => has(type, target, exactly));
        if (!has(type, target, exactly)) {
          await runIn(() => redispatch(again, realm.eventTarget(again)));
          return undefined;
        }
      }
      if (type === 'transitioncancel' || type === 'animationcancel') {
        const moved = targets.find(logged.what.target).target;
        const cut = animations.cutOff(moved, logged.what);
        await waiting.nextFrames(() => !cut || has(type, target, exactly));
        if (cut && !has(type, target, exactly)) {
          await runIn(() => realm.dispatchEvent(moved, cut));
          return undefined;
        }
      }
      if (givenHere(logged.what)) {
        await waiting.nextFrames(() => has(type, target));
        const at = has(type, target) ? null : givenHere(logged.what);
        if (at) {
          await runIn(() => realm.dispatchEvent(at, synthesise(logged.what, at)));
          return undefined;
        }
      }
      const said = logged.what.data?.message;
      if (said) {
        await bringForward(type, target, said, patience);
      }
      const instead = INSTEAD[/** @type {'load'} */ (type)];
      const certain = CERTAIN[/** @type {'load'} */ (type)] === true;
      if (OF_TRANSITIONS[/** @type {'transitionend'} */ (type)] && restyled.isMovedBySheet()) {
        await waiting.nextFrames(() => has(type, target, exactly));
        const moved = has(type, target, exactly) ? undefined : restyled.event(logged.what);
        if (moved) {
          await runIn(() => realm.dispatchEvent(targets.find(logged.what.target).target, moved));
          return undefined;
        }
      }
      await waiting.until(() => has(type, target) || (instead !== undefined && has(instead, target)), certain ? longPatience : patience);
      if (has(type, target)) {
        await waiting.nextFrames(() => has(type, target, exactly));
      }
      const arrival = take(type, target, exactly) ?? take(type, target) ?? (instead && take(instead, target));
      if (!arrival) {
        readyState.reached(logged.what);
        return 'nothing';
      }
      readyState.reached(logged.what);
      const heardHere = said && messageIn(arrival.event, type);
      if (heardHere !== said) {
        findings.diverged(logged.id, 'message-differs', 'window ' + said, 'window ' + heardHere);
      }
      await runIn(() => {
        given.scrolledTo(logged.what);
        redispatch(arrival.event, arrival.target);
      });
      if (type === 'message') {
        await giveFrames();
      }
      return arrival.type === type ? undefined : arrival.type;
    },
  };
}

/** What an element loads. @param {any} target */
function addressOf(target) {
  return target.src || target.href;
}

/** @typedef {ReturnType<typeof createArrivals>} Arrivals */
