/** Host objects other than nodes: their events (sockets, workers, ports, readers, media queries) and observers' callbacks. */
import { apply, construct, forWords, newWeakMap, objectTag, setOfWords, slice } from '../natives.js';
import { messageHash } from './identity.js';
import { heardTypes } from './listening.js';

/** Callbacks that the browser is given for one call, first of all arguments, or there as `update`; of a lock the last of them. */
const CALLED_BACK = [
  'HTMLCanvasElement toBlob',
  'HTMLVideoElement requestVideoFrameCallback',
  'DataTransferItem getAsString',
  'Scheduler postTask',
  'Document startViewTransition',
  'Element startViewTransition',
  'LockManager request',
];

const OBSERVERS = ['new IntersectionObserver ResizeObserver PerformanceObserver ReportingObserver'];

/** What dispatches only what the page dispatches itself, but for a signal whose time is over. */
const SYNCHRONOUS = setOfWords('EventTarget Object AbortSignal XMLHttpRequest');

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../record/engine.js').Engine} engine
 * @param {import('../patch.js').Patcher} patch
 * @param {(xhr: any) => void} watchXhr
 */
export function createHostWatcher(realm, engine, patch, watchXhr) {
  const tokens = newWeakMap();
  /** @type {(target: any, type: string, token: any) => void} */
  let listened = () => {};

  /** @param {any} event */
  function onEvent(event) {
    if (event.isTrusted) {
      const type = realm.eventType(event);
      engine.happened(tokens.get(realm.currentTarget(event)), { kind: 'host', event: type, data: messageIn(event, type) }, event);
    }
  }

  /**
   * @param {any} target
   * @param {string} type
   * @param {boolean} [byItself] the browser dispatches it
   */
  function onHost(target, type, byItself) {
    const tag = slice(objectTag(target), 8, -1);
    if (tag === 'XMLHttpRequest') {
      watchXhr(target);
    }
    if (!tokens.has(target)) {
      if (SYNCHRONOUS[/** @type {'Object'} */ (tag)] && !byItself) {
        return;
      }
      tokens.set(target, engine.register('host', tag));
    }
    listened(target, type, tokens.get(target));
    try {
      realm.addEventListener(target, type, onEvent, true);
    } catch {
      // Not an event target of the browser's, so nothing of the browser's can arrive at it.
    }
  }

  patch.method(realm.global.AbortSignal, 'timeout', (original) => ({
    timeout() {
      const signal = apply(original, this, arguments);
      onHost(signal, 'abort', true);
      return signal;
    },
  }).timeout);

  return {
    onHost,
    /** @param {typeof listened} callback called as the page begins to listen */
    onListened(callback) {
      listened = callback;
    },
  };
}

/**
 * The hash of what was said, or where a navigation leads.
 * @param {any} event
 * @param {string} type
 */
export function messageIn(event, type) {
  return type === 'message' ? messageHash(event.data) : event.destination?.url;
}

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../record/engine.js').Engine} engine
 * @param {import('../patch.js').Patcher} patch
 */
export function installObservers(realm, engine, patch) {
  /**
   * @param {string} identity
   * @param {any} callback
   */
  const deliveriesTo = (identity, callback) =>
    engine.deliveries(engine.register('host', identity), (/** @type {any} */ self, /** @type {any} */ given) => apply(callback, self, given));

  forWords(CALLED_BACK, (owner, name) => {
    patch.method(realm.global[owner]?.prototype, name, (original) => ({
      ask(/** @type {any[]} */ ...given) {
        const at = name === 'request' ? given.length - 1 : 0;
        const first = given[at];
        const callback = typeof first === 'function' ? first : first?.update;
        if (typeof callback === 'function') {
          const delivered = deliveriesTo(owner + '.' + name, callback);
          const update = (/** @type {any[]} */ ...values) => delivered(undefined, values, undefined);
          given[at] = callback === first ? update : { __proto__: first, update };
        }
        return apply(original, this, given);
      },
    }).ask);
  });
  forWords(OBSERVERS, (_new, name) => {
    patch.constructor(name, (Original) => {
      /**
       * @param {any} callback
       * @param {any} options
       */
      function Observer(callback, options) {
        if (!new.target || typeof callback !== 'function') {
          return apply(Original, undefined, arguments);
        }
        const delivered = deliveriesTo(name, callback);
        // What it sees hangs on how far all is scrolled, also by a bar or a driver, of which nothing else tells.
        if (name[0] === 'I') {
          heardTypes.scroll = true;
        }
        return construct(Original, [
          function observed(/** @type {any[]} */ ...given) {
            // @ts-ignore: called by the browser with the observer as `this`
            return delivered(this, given, given[0].length);
          },
          options,
        ], new.target);
      }
      return Observer;
    });
  });
}
