/**
 * The browser runs the microtasks of each listener before it tells the next one. What is told by script is told to all of them first. So an
 * event of ours is dispatched once for each that listens, in a task of its own: each time one of them is told, and the others are not.
 *
 * That is done for objects of the browser's own, whose `on…` attributes give back what was set, and for messages where `addEventListener` alone
 * is used. Who listens to those is wrapped.
 */
import { append, apply, forWords, newWeakMap, objectTag, setOfWords, slice, splice } from '../natives.js';
import { forHandlers } from '../patch.js';
import { copyOf } from './dispatched-again.js';

const HOSTS = 'Worker SharedWorker MessagePort WebSocket EventSource FileReader BroadcastChannel IDBRequest IDBOpenDBRequest IDBTransaction IDBDatabase';
const isHost = setOfWords(HOSTS);
const TAG = '[object ';
const OF_WINDOW = 'message';

/** A page with more of them than that is told all at once. */
const MOST_TASKS = 16;

/** Of who listens, what the browser calls in its place; and the other way. For all windows: a function of one may listen in another. */
const standIns = newWeakMap();
const listenersOfStandIns = newWeakMap();

/** @typedef {{target: any, listener: any}} Told */

/**
 * An event that is on its way to who listens to it.
 * @typedef {object} Way
 * @property {any} event
 * @property {any} target
 * @property {number} tasks that it has taken
 * @property {Told[] | null} rest who is still to be told, the next one first; nobody knows at the beginning
 * @property {Told[]} heard who heard it this time, behind the one that was told
 * @property {boolean} hasTold
 * @property {boolean} isTelling
 */

/** @param {import('./realm.js').ReplayRealm} realm */
export function createOneByOne(realm) {
  /** @type {Way | null} */
  let way = null;
  /** Who is told once: by whom it listens to, and the type. */
  const once = newWeakMap();

  /**
   * It is no more one that is told once.
   * @param {any} target
   * @param {string} type
   * @param {any} listener
   * @param {(capture: boolean) => void} leave
   */
  function forget(target, type, listener, leave) {
    const leaving = once.get(target)?.[type];
    for (let i = 0; leaving && i < leaving.length; i += 1) {
      if (leaving[i].listener === listener) {
        leave(leaving[i].capture);
        splice(leaving, i, 1);
        i -= 1;
      }
    }
  }

  /**
   * @param {any} target
   * @param {any} listener
   * @param {ArrayLike<any>} given
   */
  function tell(target, listener, given) {
    const event = given[0];
    forget(target, event?.type, listener, (capture) => realm.removeEventListener(target, event.type, standIns.get(listener), capture));
    return typeof listener === 'function' ? apply(listener, target, given) : listener.handleEvent(event);
  }

  /**
   * @param {any} target
   * @param {any} listener
   * @param {ArrayLike<any>} given
   */
  function called(target, listener, given) {
    const on = way;
    if (!on || on.event !== given[0] || on.isTelling) {
      return tell(target, listener, given);
    }
    if (on.rest && on.tasks >= MOST_TASKS) {
      return isStillOne(on.rest, target, listener) ? tell(target, listener, given) : undefined;
    }
    if (on.hasTold || (on.rest && !isSameTold(on.rest[0], target, listener))) {
      if (on.hasTold && (!on.rest || isStillOne(on.rest, target, listener))) {
        append(on.heard, { target, listener });
      }
      return undefined;
    }
    on.hasTold = true;
    on.isTelling = true;
    try {
      return tell(target, listener, given);
    } finally {
      on.isTelling = false;
    }
  }

  /** @param {any} listener */
  function standInOf(listener) {
    let standIn = standIns.get(listener);
    if (!standIn) {
      standIn = /** @this {any} */ function () {
        return called(this, listener, arguments);
      };
      standIns.set(listener, standIn);
      listenersOfStandIns.set(standIn, listener);
    }
    return standIn;
  }

  /**
   * @param {any} target
   * @param {any} type
   * @param {any} listener
   */
  function isTaken(target, type, listener) {
    const isOne = (typeof listener === 'object' && listener !== null) || typeof listener === 'function';
    return isOne && (target.window === target ? type === OF_WINDOW : target.nodeType === undefined && isHost[slice(objectTag(target), TAG.length, -1)] === true);
  }

  /** One pass. @param {Way} on */
  function pass(on) {
    on.tasks += 1;
    on.heard = [];
    on.hasTold = false;
    realm.dispatchEvent(on.target, on.event);
    // Who was to be told may have been taken away by the one before.
    const rest = on.hasTold || !on.rest ? on.heard : splice(on.rest, 1, on.rest.length);
    on.rest = rest;
    way = rest.length > 0 && on.tasks < MOST_TASKS ? on : null;
  }

  return {
    /**
     * Begins to tell of it.
     * @param {any} event
     * @param {any} target
     * @returns {any} the event as it is told
     */
    dispatchAgain(event, target) {
      const copy = copyOf(realm, event);
      if (target.window === target && target['on' + OF_WINDOW]) {
        // It is not wrapped, and would hear it each time.
        realm.dispatchEvent(target, copy);
        return copy;
      }
      way = { event: copy, target, tasks: 0, rest: null, heard: [], hasTold: false, isTelling: false };
      pass(way);
      return copy;
    },

    /** Whether somebody is still to be told, in a task of its own. */
    goesOn: () => way !== null,

    /** Tells the next one. */
    goOn() {
      if (way) {
        pass(way);
      }
    },

    /**
     * @param {any} global
     * @param {import('../patch.js').Patcher} patch
     */
    install(global, patch) {
      patch.method(global.EventTarget.prototype, 'addEventListener', (original) => ({
        addEventListener(/** @type {any} */ type, /** @type {any} */ listener, /** @type {any} */ options) {
          const target = this ?? global;
          if (!isTaken(target, type, listener)) {
            return apply(original, this, arguments);
          }
          const { capture, passive, signal, isOnce } = read(options);
          if (isOnce) {
            const types = once.get(target) ?? { __proto__: null };
            once.set(target, types);
            append((types[type] ??= []), { listener, capture });
          }
          const rest = signal === undefined ? { __proto__: null, capture, passive } : { __proto__: null, capture, passive, signal };
          return apply(original, this, [type, standInOf(listener), rest]);
        },
      }).addEventListener);
      patch.method(global.EventTarget.prototype, 'removeEventListener', (original) => ({
        removeEventListener(/** @type {any} */ type, /** @type {any} */ listener) {
          const given = arguments;
          const target = this ?? global;
          if (isTaken(target, type, listener)) {
            forget(target, type, listener, () => {});
            given[1] = standInOf(listener);
          }
          return apply(original, this, given);
        },
      }).removeEventListener);
      forWords(['hosts ' + HOSTS], (_hosts, owner) => {
        const prototype = global[owner]?.prototype;
        forHandlers(prototype, (_type, name) => patch.accessor(prototype, name, (get, set) => ({
          get [name]() {
            const handler = apply(get, this, []);
            return listenersOfStandIns.get(handler) ?? handler;
          },
          set [name](/** @type {any} */ handler) {
            apply(set, this, [typeof handler === 'function' ? standInOf(handler) : handler]);
          },
        })));
      });
    },
  };
}

/**
 * As the browser reads what a listener is added with.
 * @param {any} options
 */
function read(options) {
  if ((typeof options !== 'object' && typeof options !== 'function') || options === null) {
    return { capture: !!options, passive: undefined, signal: undefined, isOnce: false };
  }
  const { capture, once: isOnce, passive, signal } = options;
  return { capture: !!capture, passive, signal, isOnce: !!isOnce };
}

/**
 * @param {Told} one
 * @param {any} target
 * @param {any} listener
 */
function isSameTold(one, target, listener) {
  return one.target === target && one.listener === listener;
}

/**
 * @param {Told[]} all
 * @param {any} target
 * @param {any} listener
 */
function isStillOne(all, target, listener) {
  for (let i = 0; i < all.length; i += 1) {
    if (isSameTold(all[i], target, listener)) {
      return true;
    }
  }
  return false;
}

/** @typedef {ReturnType<typeof createOneByOne>} OneByOne */
