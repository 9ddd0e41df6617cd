/**
 * What the page listens to. Derived events are logged only where somebody hears them, so that an event nobody listens
 * to costs nothing; and objects other than nodes get our listener just before the page's first one.
 */
import { apply, newWeakMap, slice, toLower } from '../natives.js';
import { forWords } from './answers.js';

/** Interfaces with `on…` attributes of their own. The page's constructors are not walked: Chromium builds them lazily. */
const HANDLER_OWNERS = [
  'nodes Document HTMLElement SVGElement MathMLElement HTMLBodyElement HTMLFrameSetElement HTMLMediaElement',
  'others XMLHttpRequestEventTarget XMLHttpRequest Worker SharedWorker MessagePort WebSocket EventSource',
  'others FileReader MediaQueryList BroadcastChannel IDBRequest IDBOpenDBRequest IDBTransaction IDBDatabase',
  'others Notification Animation AbortSignal FontFaceSet VisualViewport ScreenOrientation PermissionStatus',
  'others MediaSource SourceBuffer AudioScheduledSourceNode SpeechSynthesisUtterance CloseWatcher',
  'others ServiceWorker ServiceWorkerContainer ServiceWorkerRegistration',
];

/** Events whose listeners are counted by target, because there is one such event for every element. */
const BY_TARGET = { __proto__: null, load: true, error: true, mouseenter: true, mouseleave: true, pointerenter: true, pointerleave: true };

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../patch.js').Patcher} patch
 * @param {{onType: (type: string) => void, onResource: (target: any, type: string) => void, onHost: (target: any, type: string) => void}} first
 *   called just before the first listener of a type is added: to any node, to an element for `load` or `error`, or to a host object
 * @param {() => boolean} isVisited a test driver listens, not the page
 */
export function installListening(realm, patch, first, isVisited) {
  const { global } = realm;
  /** @type {any} */
  const heardTypes = { __proto__: null };
  /** @type {WeakMap<object, any>} */
  const heardTargets = newWeakMap();

  /**
   * @param {any} target
   * @param {any} type
   */
  function note(target, type) {
    if (!(heardTypes[type] && isNodeOrWindow(target) && !BY_TARGET[/** @type {'load'} */ (type)])) {
      noteNew(target ?? global, standardName('' + type));
    }
  }

  /**
   * @param {any} target
   * @param {string} type
   */
  function noteNew(target, type) {
    let types = heardTargets.get(target);
    if (types?.[type] || isVisited()) {
      return;
    }
    if (!types) {
      types = { __proto__: null };
      heardTargets.set(target, types);
    }
    types[type] = true;
    if (!isNodeOrWindow(target)) {
      first.onHost(target, type);
      return;
    }
    if (!heardTypes[type]) {
      heardTypes[type] = true;
      first.onType(type);
    }
    if ((type === 'load' || type === 'error') && target.nodeType === 1) {
      first.onResource(target, type);
    }
  }

  patch.method(global.EventTarget.prototype, 'addEventListener', (original) => ({
    addEventListener(/** @type {any} */ type, /** @type {any} */ callback) {
      if (callback) {
        note(this ?? global, type);
      }
      return apply(original, this, arguments);
    },
  }).addEventListener);

  /**
   * @param {string} name
   * @param {any} original
   */
  const noteHandler = (name, original) => ({
    set [name](/** @type {any} */ handler) {
      if (handler) {
        note(this ?? global, slice(name, 2));
      }
      apply(original, this, [handler]);
    },
  });
  patch.handlers(global, noteHandler);
  forWords(HANDLER_OWNERS, (_kind, owner) => patch.handlers(global[owner]?.prototype, noteHandler));

  return {
    /**
     * Whether the page may be listening for this event.
     * @param {any} event
     * @param {string} type
     */
    hears(event, type) {
      const byTarget = BY_TARGET[/** @type {'load'} */ (type)];
      if (heardTypes[type] && !byTarget) {
        return true;
      }
      const path = realm.composedPath(event);
      for (let i = 0; i < path.length; i += 1) {
        if (path[i].nodeType === 1 && realm.hasAttribute(path[i], 'on' + type)) {
          return true;
        }
        if (byTarget && heardTargets.get(path[i])?.[type]) {
          return true;
        }
      }
      return false;
    },
    /** @param {string} type */
    hearsType: (type) => heardTypes[type] === true,
    /**
     * For listeners of which there was no call of `addEventListener`.
     * @param {any} target
     * @param {string} type
     */
    note,
  };
}

/** @typedef {ReturnType<typeof installListening>} Listening */

/**
 * Who listens for `webkitTransitionEnd` is told of `transitionend`, which is what comes by the window.
 * @param {string} type
 */
export function standardName(type) {
  return type[6] < 'a' && slice(type, 0, 6) === 'webkit' ? toLower(slice(type, 6)) : type;
}

/** @param {any} target */
function isNodeOrWindow(target) {
  return target.nodeType !== undefined || target.window === target;
}
