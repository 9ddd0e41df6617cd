/**
 * Which event the page's code is running in: the same for recording and replaying, so that the same code lands in the
 * same event's local object.
 *
 * An event lasts from its first callback until the next one begins, so its microtasks are its own. Three things are
 * laid over that: a script element that runs right now (`document.currentScript`), an error being reported, and
 * whatever is dispatched while a callback, a script or another dispatch is still going on, which belongs to that.
 */
import { createModules } from './modules.js';
import { append, indexOf, settledPromise, splice, then } from './natives.js';

const MICROTASK_HOPS = 64;

/** What waited for a module often goes through all that it brought. */
const MODULE_HOPS = 2_000;

/** The key of code that runs in no event we know of: after an `import()`, or called by a test driver. */
export const UNKNOWN_SCRIPT = '#import';

/**
 * @typedef {object} Script
 * @property {string} key its URL, or `#n` for the n-th inline script of its document
 * @property {string} order
 */

/**
 * @template E
 * @param {(element: any, realm: import('./natives.js').Realm) => E} eventOfScript
 * @param {() => E} unknownEvent for code that runs in no event
 * @param {() => E | undefined} eventOfVisitor for code that runs in no event and is not the page's either
 */
export function createPlace(eventOfScript, unknownEvent, eventOfVisitor) {
  /** @type {import('./natives.js').Realm[]} */
  const realms = [];
  /** @type {E | undefined} */
  let base;
  /** The DOM event that `base` stands for, while it may still be under way. */
  let dispatching = /** @type {any} */ (null);
  let overlay = /** @type {{event: E, dispatching: any}} */ ({ dispatching: null });
  let depth = 0;
  /** @type {any} */
  let lastScript = null;
  /** @type {E | undefined} */
  let lastScriptEvent;
  /** @type {import('./modules.js').Modules | undefined} of the first realm */
  let modules;
  /** What `base` began with is over, its microtasks too. */
  let turnOver = true;
  /** What `base` began with may be a test driver's doing, which goes on in the same turn. */
  let scripted = false;

  /**
   * Notes when the microtasks of an event are through. A task of our own could come later than a module's, so a
   * microtask goes to the end of the queue again and again: the page's chains of promises are shorter than that.
   * @param {boolean} byTask for a dispatch whose end cannot be seen
   * @param {number} [hops]
   */
  function watchTurn(byTask, hops = MICROTASK_HOPS) {
    const began = base;
    const over = () => {
      turnOver ||= base === began;
    };
    turnOver = false;
    if (byTask) {
      realms[0].nextTurn(over);
      return;
    }
    const hop = () => {
      hops -= 1;
      then(settledPromise, hops > 0 ? hop : over);
    };
    hop();
  }

  /** Nothing of the page's is going on, except for what comes in microtasks. */
  function isIdle() {
    return depth === 0 && (turnOver || scripted) && !underWay(dispatching);
  }

  /**
   * Code that runs in no event we know of: a module, or what an `import()` was awaited for.
   * @returns {E}
   */
  function eventBetween() {
    const module = modules?.next();
    return beginBetween(module ? eventOfScript(module, realms[0]) : unknownEvent());
  }

  /** @param {E} event */
  function beginBetween(event) {
    dispatching = null;
    base = event;
    watchTurn(false, MODULE_HOPS);
    return event;
  }

  /** @param {any} event */
  function underWay(event) {
    return event !== null && realms[0].eventPhase(event) !== 0;
  }

  /**
   * Gecko writes, and moves the focus, while the key or press that it is told of still passes its listeners, the page's
   * being through: that is no doing of theirs, unless code of the page's calls.
   * @param {any} event
   */
  function isDefaultAction(event) {
    return event?.isTrusted && dispatching.isTrusted && eventOfVisitor() !== undefined;
  }

  /**
   * Chromium tells at once of a focus that goes with its element, or comes back as a dialog closes, forms of what is not
   * valid, and `navigation` of where `history` leads: of code that calls, also in a microtask.
   * @param {any} event
   */
  function isCalledFor(event) {
    return event && indexOf('focusinvalid focusout blur beforetoggle navigate currententrychange', realms[0].eventType(event)) >= 0 && eventOfVisitor() === undefined;
  }

  /**
   * Chromium never resets `eventPhase` of what a document tells its window when it comes and goes, and when it is resized.
   * @param {any} event
   */
  function endUnknown(event) {
    const type = realms[0].eventType(event);
    const at = realms[0].currentTarget(event);
    return indexOf('load pageshow beforeunload pagehide resize', type) >= 0 && at !== null && at.window !== undefined;
  }

  /**
   * And what has gone by itself, except for our own.
   * @param {import('./natives.js').Realm} realm
   */
  function removeRealm(realm) {
    for (let i = realms.length - 1; i > 0; i -= 1) {
      if (realms[i] === realm || realms[i].global.closed) {
        splice(realms, i, 1);
      }
    }
  }

  /** The realm that has a script running right now. A popup that went to another origin is none of ours any more. */
  function runningScript() {
    for (let i = 0; i < realms.length; i += 1) {
      const realm = realms[i];
      try {
        if (realm.currentScript() !== null) {
          return realm;
        }
      } catch {
        removeRealm(realm);
        i -= 1;
      }
    }
  }

  return {
    /** @param {import('./natives.js').Realm} realm */
    addRealm(realm) {
      removeRealm(realm);
      append(realms, realm);
      modules ??= createModules(realm);
    },
    removeRealm,
    /** @param {any} element a script whose `load` or `error` has come */
    scriptFinished(element) {
      modules?.finished(element);
    },
    parsed() {
      modules?.allFinished();
    },

    /** @returns {E} */
    current() {
      if (underWay(overlay.dispatching)) {
        return overlay.event;
      }
      const realm = runningScript();
      if (realm) {
        const script = realm.currentScript();
        if (script !== lastScript) {
          lastScriptEvent = eventOfScript(script, realm);
          lastScript = script;
          if (depth === 0 && !underWay(dispatching)) {
            base = lastScriptEvent;
            dispatching = null;
            // While its microtasks run, it is still the current script.
            turnOver = true;
          }
        }
        return /** @type {E} */ (lastScriptEvent);
      }
      if (isIdle()) {
        const visitor = eventOfVisitor();
        if (visitor !== undefined) {
          return visitor;
        }
        base = turnOver ? eventBetween() : base;
      }
      base ??= unknownEvent();
      return base;
    },
    beginBetween,

    /** Whether what runs now is a test driver's code, or what such code dispatched from a world of its own. */
    isVisited() {
      return isIdle() && !this.nested() && eventOfVisitor() !== undefined;
    },

    /**
     * @param {E} event
     * @param {any} domEvent
     * @param {boolean} [byDriver] a test driver may have brought it about
     */
    begin(event, domEvent, byDriver = false) {
      base = event;
      const unseen = domEvent !== null && endUnknown(domEvent);
      // A driver that waited for the page to load goes on before we know that the dispatch is over.
      scripted = byDriver || unseen;
      dispatching = unseen ? null : domEvent;
      lastScript = null;
      watchTurn(unseen);
    },

    /**
     * What runs now belongs to another event than what ran before it in the same turn.
     * @param {E} event
     */
    goOn(event) {
      base = event;
    },

    /**
     * @param {E} event
     * @param {any} domEvent
     */
    lay(event, domEvent) {
      overlay = { event, dispatching: domEvent };
    },

    /**
     * Whether what arrives now was caused by what is running now.
     * @param {any} [event]
     */
    nested(event) {
      return (
        depth > 0 ||
        (underWay(dispatching) && !isDefaultAction(event)) ||
        underWay(overlay.dispatching) ||
        !!runningScript() ||
        isCalledFor(event)
      );
    },

    /**
     * Runs something that dispatches events while it runs, or a callback.
     * @template T
     * @param {() => T} run
     * @returns {T}
     */
    inside(run) {
      depth += 1;
      try {
        return run();
      } finally {
        depth -= 1;
      }
    },
  };
}
