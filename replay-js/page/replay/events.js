/** The events of the log that a page goes through, one after another, and which of them its code runs in. */
import { pageIsCalling, VISITOR } from '../callers.js';
import { append, newWeakMap, settledPromise, then } from '../natives.js';
import { createPlace, UNKNOWN_SCRIPT } from '../place.js';

/**
 * An event of the log being replayed, or one the log does not have (`logged` undefined).
 * @typedef {object} Current
 * @property {number} id
 * @property {import('./log.js').Logged | undefined} logged
 * @property {any} counts how many each list has had
 * @property {any} registered entries by list
 * @property {any} pairs what stands for which of the log, by list
 * @property {{key: string, near: number} | null} extra a script that the log does not have, and the event before it
 */

/** A chain of promises that is not through by then has come round to itself. */
const LONGEST_CHAIN = 5_000;

/** What code asks for, and hears of in another event; and modules that end. */
const ASKED_FOR = ['timer', 'frame', 'idle', 'xhr', 'fetch', 'promise', 'ran'];

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./log.js').Log} log
 * @param {import('./waiting.js').Waiting} waiting
 * @param {(element: any, realm: import('../natives.js').Realm, load: import('../natives.js').Realm) => {key: string, order: string}} nameScript
 * @param {{reached: (logged: import('./log.js').Logged) => void, closed: (event: Current) => void}} tell that time has come to an event, that an event is over
 */
export function createReplayEvents(realm, log, waiting, nameScript, tell) {
  const scriptEvents = newWeakMap();
  /** @type {Current[]} */
  const byId = [];
  /** @type {Current[]} */
  const unclosed = [];
  let extras = 0;
  let lastId = 0;
  /** What was dispatched last, while its microtasks run. @type {Current | null} */
  let goesOn = null;
  /** The event of the module that has just ended. @type {import('./log.js').Logged | undefined} */
  let moduleIsIn;
  /** Modules that may have come, by the exchanges that bring them. @type {any} */
  const letGo = { __proto__: null };

  /**
   * @param {import('./log.js').Logged | undefined} logged
   * @returns {Current}
   */
  function open(logged) {
    extras += logged ? 0 : 1;
    const event = { id: logged ? logged.id : -extras, logged, counts: { __proto__: null }, registered: { __proto__: null }, pairs: { __proto__: null }, extra: /** @type {Current['extra']} */ (null) };
    if (logged) {
      logged.done = true;
      byId[logged.id] = event;
      tell.reached(logged);
    }
    append(unclosed, event);
    return event;
  }

  const place = createPlace(
    (element, scriptRealm) => {
      let event = scriptEvents.get(element);
      if (!event) {
        event = openScript(nameScript(element, scriptRealm, realm).key);
        scriptEvents.set(element, event);
      }
      return event;
    },
    () => {
      const event = unfinishedModule() ?? eventOfModule() ?? open(nextUnknown());
      waiting.changed();
      return event;
    },
    () => (pageIsCalling() ? undefined : VISITOR),
  );

  /**
   * A module that has begun and has not come to all that the log has of it. Where one awaits something at its top, WebKit runs
   * what it imports at once, and itself in a task of its own.
   */
  function unfinishedModule() {
    for (let i = unclosed.length - 1; i >= 0; i -= 1) {
      const { logged } = unclosed[i];
      if (logged?.what.order === 'module' && (logged.what.key !== UNKNOWN_SCRIPT || !hasRun(unclosed[i])) && !hasAsked(unclosed[i])) {
        return unclosed[i];
      }
    }
    return undefined;
  }

  /**
   * Whether an event has asked for all that the log has of it.
   * @param {Current} event
   */
  function hasAsked({ logged, registered }) {
    for (let i = 0; i < ASKED_FOR.length; i += 1) {
      const list = ASKED_FOR[i];
      if ((registered[list]?.length ?? 0) < (logged?.local[list]?.length ?? 0)) {
        return false;
      }
    }
    return true;
  }

  /**
   * What runs in no event of the page while the modules of the next such event are held back is another one's: what waited for a
   * module that is there already runs in tasks of its own.
   */
  function nextUnknown() {
    return log.next((logged) => logged.what.key === UNKNOWN_SCRIPT && mayRun(logged)) ?? log.nextScript(UNKNOWN_SCRIPT);
  }

  /** @param {import('./log.js').Logged} logged */
  function mayRun({ local }) {
    const ran = local.ran ?? [];
    for (let i = 0; i < ran.length; i += 1) {
      if (letGo[ran[i]]) {
        return true;
      }
    }
    return ran.length === 0;
  }

  /**
   * Whether all modules have ended that the log has in this event.
   * @param {Current} event
   */
  function hasRun({ logged, registered }) {
    return (registered.ran?.length ?? 0) >= (logged?.local.ran?.length ?? 0);
  }

  /**
   * A module has ended. What comes after it is the event's in which it ended when it was recorded.
   * @param {number} exchange that brought it
   */
  function moduleRan(exchange) {
    const logged = log.ranIn(exchange);
    if (!logged) {
      return;
    }
    // One that belongs to something of the page's own, such as `load`, and is there before it, begins nothing. A script that has
    // called nothing until here begins here.
    if (logged.what.key === UNKNOWN_SCRIPT && !logged.done) {
      place.beginBetween(open(logged));
    } else if (logged.done || logged.what.kind === 'script') {
      moduleIsIn = logged;
      place.current();
      if (!logged.done) {
        place.goOn(open(logged));
      }
      moduleIsIn = undefined;
    }
    const event = byId[logged.id];
    if (event) {
      append((event.registered.ran ??= []), exchange);
    }
    waiting.changed();
  }

  function eventOfModule() {
    return moduleIsIn && (byId[moduleIsIn.id] ?? open(moduleIsIn));
  }

  /** @param {string} key */
  function openScript(key) {
    const logged = log.nextScript(key);
    const near = nearest();
    const event = open(logged);
    if (!logged) {
      event.extra = { key, near };
    }
    waiting.changed();
    return event;
  }

  /** The logged event that something without a place of its own is reported at. */
  function nearest() {
    for (let i = unclosed.length - 1; i >= 0; i -= 1) {
      if (unclosed[i].logged) {
        return unclosed[i].id;
      }
    }
    return lastId;
  }

  /**
   * @param {import('./log.js').Logged | undefined} logged
   * @param {any} [domEvent]
   */
  function begin(logged, domEvent = null) {
    close();
    const event = open(logged);
    place.begin(event, domEvent);
    return event;
  }

  /**
   * Begins an event whose listeners are told by us. The browser runs their microtasks while it still dispatches, so that all of
   * them are the event's, and what they bring about is, too, however long their chain; here they come when all is dispatched.
   * @param {import('./log.js').Logged} logged
   */
  function beginDispatched(logged) {
    goOnDispatched(begin(logged));
  }

  /** As it began, of the last one, which others who listen are told of. */
  function goOnTelling() {
    const last = unclosed[unclosed.length - 1];
    if (last) {
      place.begin(last, null);
      goOnDispatched(last);
    }
  }

  /** @param {Current} event */
  function goOnDispatched(event) {
    // The place forgets before long what it began with. With this it did not begin.
    place.goOn({ ...event });
    goesOn = event;
    let hops = 0;
    const hop = () => {
      hops += 1;
      if (goesOn !== event) {
        return;
      }
      if (hops < LONGEST_CHAIN) {
        then(settledPromise, hop);
        return;
      }
      goesOn = null;
      place.begin(unclosed[unclosed.length - 1], null);
    };
    then(settledPromise, hop);
  }

  function close() {
    goesOn = null;
    for (let i = 0; i < unclosed.length; i += 1) {
      if (unclosed[i].logged) {
        lastId = unclosed[i].id;
      }
      tell.closed(unclosed[i]);
    }
    unclosed.length = 0;
  }

  return {
    place,
    open,
    begin,
    beginDispatched,
    goOnTelling,
    close,
    /** @param {any} [event] */
    nested: (event) => goesOn !== null || place.nested(event),
    nearest,
    hasAsked,
    hasRun,
    mayRun,
    moduleRan,
    /** @param {number} exchange */
    moduleComes(exchange) {
      letGo[exchange] = true;
    },

    /**
     * @param {number} id
     * @returns {Current | undefined}
     */
    byId: (id) => byId[id],

    /**
     * @param {any} element
     * @param {string} type
     */
    scriptRan(element, type) {
      place.scriptFinished(element);
      if (type === 'load' && element.src && !scriptEvents.has(element)) {
        const logged = log.nextScript(nameScript(element, realm, realm).key);
        if (logged) {
          scriptEvents.set(element, begin(logged));
        }
      }
    },
  };
}
