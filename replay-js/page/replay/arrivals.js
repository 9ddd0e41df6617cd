/**
 * Native events that the page gets when the log says so: load events and whatever else the browser brings by itself.
 * They are stopped at the window and dispatched again when due.
 */
import { append, defineProperty, getPrototypeOf, objectTag, slice, splice } from '../natives.js';
import { messageIn } from '../sources/hosts.js';
import { isOfLink } from './followed.js';

/** How many there are of these is up to the engine: the log's are given, the browser's own are swallowed. */
const STREAMS = { __proto__: null, scroll: true, scrollend: true, resize: true, selectionchange: true, select: true, progress: true, timeupdate: true, visibilitychange: true, online: true, offline: true, languagechange: true, mousemove: true, pointermove: true, pointerrawupdate: true, mouseover: true, mouseout: true, pointerover: true, pointerout: true, mouseenter: true, mouseleave: true, pointerenter: true, pointerleave: true };

/** Of these, what an engine may not have at all. */
const NOT_EVERYWHERE = { __proto__: null, scrollend: true, pointerrawupdate: true };

/** Moves of the pointer from one element to another. */
const PASSING = { __proto__: null, mouseover: true, mouseout: true, pointerover: true, pointerout: true, mouseenter: true, mouseleave: true, pointerenter: true, pointerleave: true };

/** The browser brings these however long it takes. */
const CERTAIN = { __proto__: null, readystatechange: true, DOMContentLoaded: true, load: true, pageshow: true, error: true };

/** An animation that is brought to its end says so with the next frame, or with the one after. */
const FRAMES_TO_TELL = 3;

/** Failure and success of one thing: the log's is awaited, the other may come. */
const INSTEAD = { __proto__: null, load: 'error', error: 'load' };

/** When these come is up to the animation's clock, which is ours: the log's are brought about, others are swallowed. */
const ANIMATED = { __proto__: null, animationstart: true, animationiteration: true, animationend: true, animationcancel: true, transitionrun: true, transitionstart: true, transitionend: true, transitioncancel: true };

/** Of these, what transitions bring. */
const OF_TRANSITIONS = { __proto__: null, transitionrun: true, transitionstart: true, transitionend: true, transitioncancel: true };

/** What rests does not come round: it is given when the log says so. */
const ROUND = 'animationiteration';

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
 *   traversals: import('./traversals.js').Traversals,
 *   dragging: import('./dragging.js').Dragging,
 *   opened: import('./opened.js').Opened,
 * }} parts
 */
export function createArrivals({ realm, log, engine, findings, waiting, targets, readyState, animations, inherited, traversals, dragging, opened }) {
  /** @type {{type: string, target: any, event: any}[]} */
  const held = [];
  /** What moved came to rest here before the log says so: its element need not stand yet where the log has it. @type {typeof held} */
  const rested = [];
  /** The last event that the page listens to. */
  let heard = /** @type {any} */ (null);
  /** Where the last key was to come to, and did not. */
  let missed = /** @type {any} */ (null);

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
   * in the document.
   * @param {any} what
   * @returns {(target: any) => boolean}
   */
  function fits(what) {
    const src = what.data?.src;
    const isMade = typeof src === 'string' && isMadeAddress(src);
    if (typeof src === 'string' && !isMade) {
      return (target) => addressOf(target) === src;
    }
    const { target: found } = targets.find(what.target);
    return (target) => target === found || (isMade && !found && isMadeAddress(addressOf(target)));
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
   * Dispatches a copy: in Chromium an event that was stopped stays stopped at targets other than nodes, and the
   * window's own load events are taken for being dispatched ever after. An event is an initialiser of its own kind.
   * @param {any} event
   * @param {any} target
   */
  function redispatch(event, target) {
    const Interface = realm.global[slice(objectTag(event), 8, -1)] ?? realm.global.Event;
    const copy = copyOf(event, Interface);
    realm.dispatchEvent(target, copy);
    return copy;
  }

  /**
   * Which window a person works in is the desktop's affair: the log's are given, and the browser's own are swallowed.
   * @param {string} type
   * @param {any} target
   */
  function isOfWindow(type, target) {
    return (type === 'focus' || type === 'blur') && (target === realm.global || target === realm.document);
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
     * It came before the gesture was announced that the log has it behind.
     * @param {any} what
     */
    hasCome: (what) => has(what.type, fits(what)),

    /** @param {any} event */
    isHeard(event) {
      heard = event;
    },

    /**
     * A key came to another element than the log's, which does not scroll now, or it came to its own.
     * @param {any} from
     */
    strayed(from) {
      missed = from;
    },

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
        keepRested(event, type, target);
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
        hold(event, type, target);
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
      if (ANIMATED[/** @type {'animationend'} */ (type)] || isOfWindow(type, target)) {
        realm.stopImmediatePropagation(event);
        keepRested(event, type, target);
        return;
      }
      if (type === 'toggle' && opened.expects(target)) {
        realm.stopImmediatePropagation(event);
        return;
      }
      findings.diverged(engine.nearest(), 'event-extra', 'nothing', type + ' on ' + targets.name(target));
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
        return undefined;
      }
      if (STREAMS[/** @type {'scroll'} */ (type)]) {
        await performStream(logged, runIn);
        return undefined;
      }
      if (dragging.gives(logged.what)) {
        await lead(logged, runIn);
        return undefined;
      }
      const target = fits(logged.what);
      if (type === 'transitionend' || type === 'animationend') {
        animations.finish(targets.find(logged.what.target).target);
      } else if (type === ROUND) {
        return await comeRound(logged.what, runIn);
      }
      const isStep = type === 'popstate' || type === 'hashchange';
      if (isStep && !has(type, target) && traversals.isNeeded(logged.what.data?.url) && !isOfLink(log, (of) => targets.find(of).target, logged)) {
        traversals.make(logged.what.data.url);
      }
      if (ANIMATED[/** @type {'animationend'} */ (type)] && !has(type, target)) {
        recall(logged.what, target);
      }
      // Several things move of one element, and come to rest here all at once.
      const exactly = isOf(logged.what.data);
      const again = OF_TRANSITIONS[/** @type {'transitionend'} */ (type)] && inherited.again(logged.what);
      if (again) {
        await nextFrames(() => has(type, target, exactly));
        if (!has(type, target, exactly)) {
          await runIn(() => redispatch(again, realm.eventTarget(again)));
          return undefined;
        }
      }
      const said = logged.what.data?.message;
      if (said) {
        await bringForward(type, target, said, patience);
      }
      const instead = INSTEAD[/** @type {'load'} */ (type)];
      const certain = CERTAIN[/** @type {'load'} */ (type)] === true;
      await waiting.until(() => has(type, target) || (instead !== undefined && has(instead, target)), certain ? longPatience : patience);
      if (has(type, target)) {
        await nextFrames(() => has(type, target, exactly));
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
      await runIn(() => redispatch(arrival.event, arrival.target));
      return arrival.type === type ? undefined : arrival.type;
    },

    held: () => held,
  };

  /**
   * What has just come to rest is told of with the frames that come next.
   * @param {() => boolean} has
   */
  async function nextFrames(has) {
    for (let i = 0; i < FRAMES_TO_TELL && !has(); i += 1) {
      await waiting.nextFrame();
    }
  }

  /**
   * @param {any} event
   * @param {string} type
   * @param {any} target
   */
  function keepRested(event, type, target) {
    if (log.next(({ what }) => what.type === type && what.data?.animation === moved(event))) {
      append(rested, { type, target, event });
    }
  }

  /**
   * What has come to rest of this element is there.
   * @param {any} what
   * @param {(target: any) => boolean} isTarget
   */
  function recall(what, isTarget) {
    for (let i = 0; i < rested.length; i += 1) {
      const { type, target, event } = rested[i];
      if (type === what.type && isTarget(target) && moved(event) === what.data?.animation) {
        append(held, splice(rested, i, 1)[0]);
        return;
      }
    }
  }

  /**
   * @param {import('./log.js').Logged} logged
   * @param {(run: () => void) => Promise<void>} runIn
   */
  async function performStream({ id, what }, runIn) {
    const { target } = targets.find(what.target);
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
    await runIn(() => dragging.give(target, what));
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
    await runIn(() => realm.dispatchEvent(target, new realm.global.AnimationEvent(ROUND, { animationName, bubbles: true })));
    return undefined;
  }

  /**
   * @param {any} what
   * @param {any} target
   */
  function stream(what, target) {
    if (what.type === 'scroll' && what.data?.scroll) {
      // Taking an array apart would ask the page's iterator.
      const left = what.data.scroll[0];
      const top = what.data.scroll[1];
      const scrolled = target.nodeType === 1 ? target : realm.global;
      realm.scrollTo(scrolled, left, top);
    }
    realm.dispatchEvent(target, new realm.global.Event(what.type, { bubbles: what.type === 'select' || what.type === 'visibilitychange' || (target.nodeType === 9 && what.type === 'scroll') }));
  }
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

/** What an element loads. @param {any} target */
function addressOf(target) {
  return target.src || target.href;
}

/** The browser makes these up, another one each time. @param {string | undefined} address */
function isMadeAddress(address) {
  return address !== undefined && slice(address, 0, 5) === 'blob:';
}

/** The property or animation that an event tells of. @param {any} event */
function moved(event) {
  return event.propertyName ?? event.animationName;
}

/**
 * Whether an event tells of the same that has moved, where it tells of that at all.
 * @param {any} data
 * @returns {(event: any) => boolean}
 */
function isOf(data) {
  return (event) => data?.animation === undefined || (moved(event) === data.animation && (event.pseudoElement ?? '') === (data.pseudo ?? ''));
}

/**
 * @param {any} event
 * @param {any} Interface
 */
function copyOf(event, Interface) {
  try {
    return new Interface(event.type, event);
  } catch {
    const { bubbles, cancelable, data, origin, lastEventId, source } = event;
    if (source === undefined) {
      // WebKit's XMLHttpRequestProgressEvent has no constructor of its own.
      return copyOf(event, getPrototypeOf(Interface));
    }
    // Firefox takes a sandboxed frame for no window.
    const copy = new Interface(event.type, { __proto__: null, bubbles, cancelable, data, origin, lastEventId });
    defineProperty(copy, 'source', { value: source });
    return copy;
  }
}

/** @typedef {ReturnType<typeof createArrivals>} Arrivals */
