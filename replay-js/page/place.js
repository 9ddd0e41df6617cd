/**
 * Which event the page's code is running in: the same for recording and replaying, so that the same code lands in the
 * same event's local object.
 *
 * An event lasts from its first callback until the next one begins, so its microtasks are its own. Three things are
 * laid over that: a script element that runs right now (`document.currentScript`), an error being reported, and
 * whatever is dispatched while a callback, a script or another dispatch is still going on, which belongs to that.
 */
import { append, splice } from './natives.js';

/**
 * @typedef {object} Script
 * @property {string} key its URL, or `#n` for the n-th inline script of its document
 * @property {string} order
 */

/**
 * @template E
 * @param {(element: any, realm: import('./natives.js').Realm) => E} eventOfScript
 * @param {() => E} firstEvent for code that runs before anything has begun
 */
export function createPlace(eventOfScript, firstEvent) {
  /** @type {import('./natives.js').Realm[]} */
  const realms = [];
  /** @type {E | undefined} */
  let base;
  /** The DOM event that `base` stands for, while it may still be under way. */
  let dispatching = /** @type {any} */ (null);
  /** @type {{event: E, dispatching: any} | null} */
  let overlay = null;
  let depth = 0;
  /** @type {any} */
  let lastScript = null;
  /** @type {E | undefined} */
  let lastScriptEvent;

  /** @param {any} event */
  function underWay(event) {
    return event !== null && realms[0].eventPhase(event) !== 0;
  }

  /**
   * Chromium never resets `eventPhase` of the window's own load events.
   * @param {any} event
   */
  function endUnknown(event) {
    const type = realms[0].eventType(event);
    const at = realms[0].currentTarget(event);
    return (type === 'load' || type === 'pageshow') && at !== null && at.window !== undefined;
  }

  return {
    /** @param {import('./natives.js').Realm} realm */
    addRealm(realm) {
      for (let i = realms.length - 1; i > 0; i -= 1) {
        if (realms[i].global.closed) {
          splice(realms, i, 1);
        }
      }
      append(realms, realm);
    },

    /** @returns {E} */
    current() {
      if (overlay !== null) {
        if (underWay(overlay.dispatching)) {
          return overlay.event;
        }
        overlay = null;
      }
      for (let i = 0; i < realms.length; i += 1) {
        const script = realms[i].currentScript();
        if (script !== null) {
          if (script !== lastScript) {
            lastScriptEvent = eventOfScript(script, realms[i]);
            lastScript = script;
            if (depth === 0 && !underWay(dispatching)) {
              base = lastScriptEvent;
              dispatching = null;
            }
          }
          return /** @type {E} */ (lastScriptEvent);
        }
      }
      if (base === undefined) {
        base = firstEvent();
      }
      return base;
    },

    /**
     * @param {E} event
     * @param {any} domEvent
     */
    begin(event, domEvent) {
      base = event;
      dispatching = domEvent !== null && endUnknown(domEvent) ? null : domEvent;
      lastScript = null;
    },

    /**
     * @param {E} event
     * @param {any} domEvent
     */
    lay(event, domEvent) {
      overlay = { event, dispatching: domEvent };
    },

    /** Whether what arrives now was caused by what is running now. */
    nested() {
      if (depth > 0 || underWay(dispatching) || (overlay !== null && underWay(overlay.dispatching))) {
        return true;
      }
      for (let i = 0; i < realms.length; i += 1) {
        if (realms[i].currentScript() !== null) {
          return true;
        }
      }
      return false;
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
