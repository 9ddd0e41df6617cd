/**
 * What the page listens to. Derived events are logged only where somebody hears them, so that an event nobody listens
 * to costs nothing; and objects other than nodes get our listener just before the page's first one.
 */
import { apply, forWords, functionText, getPrototypeOf, holderOf, indexOf, newWeakMap, setOfWords, slice, toLower, uncurry } from '../natives.js';

/** Interfaces with `on…` attributes of their own. The page's constructors are not walked: Chromium builds them lazily. */
const NODES = ['nodes Document HTMLElement SVGElement MathMLElement HTMLBodyElement HTMLFrameSetElement HTMLMediaElement'];
const OTHERS = [
  'others XMLHttpRequestEventTarget XMLHttpRequest Worker SharedWorker MessagePort WebSocket EventSource',
  'others FileReader MediaQueryList BroadcastChannel IDBRequest IDBOpenDBRequest IDBTransaction IDBDatabase',
  'others Notification Animation AbortSignal FontFaceSet VisualViewport ScreenOrientation PermissionStatus',
  'others MediaSource SourceBuffer AudioScheduledSourceNode SpeechSynthesisUtterance CloseWatcher',
  'others ServiceWorker ServiceWorkerContainer ServiceWorkerRegistration',
];

/** What comes to sound and films, most of which stand in no document or in a shadow tree, where no window sees it. */
export const OF_MEDIA = ' play pause ended timeupdate seeking seeked playing waiting canplay canplaythrough loadeddata loadedmetadata durationchange volumechange ratechange emptied';

/**
 * Events whose listeners are counted by target, because there is one such event for every element, the browser makes
 * them only for who listens, or they come to what is not in the document.
 */
export const BY_TARGET = setOfWords('load error mouseenter mouseleave pointerenter pointerleave pointerrawupdate animationcancel transitioncancel' + OF_MEDIA);

/** For all windows of a document's: elements are made in one of them and stand in another. @type {any} */
export const heardTypes = { __proto__: null };

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../patch.js').Patcher} patch
 * @param {any} watched types that are watched from the beginning: whether an attribute `on…` listens to one is asked as it comes, and not told by
 *   its setter, of which a page has hundreds
 * @param {{onType: (type: string) => void, onResource: (target: any, type: string) => void, onHost: (target: any, type: string) => void, onRoot: (root: any) => void}} first
 *   called just before the first listener of a type is added: to any node, to a target of those that are counted by it, or to a host object; and
 *   with a shadow tree as it is made
 * @param {() => boolean} isVisited a test driver listens, not the page
 */
export function installListening(realm, patch, watched, first, isVisited) {
  const { global } = realm;
  let closed = false;
  /** @type {WeakMap<object, any>} */
  const heardTargets = newWeakMap();
  /** @type {WeakMap<object, any>} getters of `on…` attributes, by the prototype of what has them */
  const getters = newWeakMap();

  /**
   * @param {any} target
   * @param {any} type
   */
  function note(target, type) {
    if (!(heardTypes[type] && watched[type] && isNodeOrWindow(target) && !BY_TARGET[type])) {
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
    heardTypes[type] = true;
    first.onType(type);
    if (BY_TARGET[type]) {
      first.onResource(target, type);
    }
  }

  forWords(['EventTarget addEventListener removeEventListener', 'MediaQueryList addListener'], (owner, name) =>
    patch.method(global[owner].prototype, name, (original) => ({
      listen(/** @type {any} */ type, /** @type {any} */ callback) {
        const target = this ?? global;
        if (name[0] === 'a') {
          // By its older name, a query takes the listener alone.
          callback ? note(target, type) : owner[0] === 'M' && note(target, 'change');
        }
        if (target === global) {
          // Who listens by an older name hears nothing where anybody listens by the new one, as we do here.
          arguments[0] = type === 'mousewheel' && 'onmousewheel' in target ? 'wheel' : standardName('' + type);
        }
        return apply(original, this, arguments);
      },
    }).listen));

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
  const isUnwatched = (/** @type {string} */ type) => !watched[type] || BY_TARGET[type];
  const always = () => true;
  /**
   * @param {string[]} owners
   * @param {(type: string) => boolean} isWanted
   */
  const patchHandlers = (owners, isWanted) => forWords(owners, (_kind, owner) => patch.handlers(global[owner]?.prototype, isWanted, noteHandler));
  patch.handlers(global, isUnwatched, noteHandler);
  patchHandlers(NODES, isUnwatched);
  patchHandlers(OTHERS, always);
  patch.method(global.Element.prototype, 'attachShadow', (original) => ({
    attachShadow() {
      const root = apply(original, this, arguments);
      first.onRoot(root);
      if (root.mode === 'closed' && !closed) {
        // An event that comes out of it does not say which of its elements it passed.
        closed = true;
        patchHandlers(NODES, always);
      }
      return root;
    },
  }).attachShadow);

  /**
   * Whether an attribute has a function that listens, set by a script.
   * @param {any} target of an event that comes
   * @param {string} name
   */
  function handles(target, name) {
    try {
      const owner = target === global ? target : getPrototypeOf(target);
      const known = getters.get(owner) ?? { __proto__: null };
      getters.set(owner, known);
      return (known[name] ??= nativeGetter(owner, name))(target);
    } catch {
      // Its prototype is not what it was born with.
      return false;
    }
  }

  return {
    /**
     * Whether the page may be listening for this event.
     * @param {any} event
     * @param {string} type
     */
    hears(event, type) {
      const byTarget = BY_TARGET[type];
      if (heardTypes[type] && !byTarget) {
        return true;
      }
      const path = realm.composedPath(event);
      for (let i = 0; i < path.length; i += 1) {
        // An attribute in the document comes first: to read its function would compile it.
        if (path[i].nodeType === 1 && realm.hasAttribute(path[i], 'on' + type)) {
          return true;
        }
        if (byTarget ? heardTargets.get(path[i])?.[type] : handles(path[i], 'on' + type)) {
          return true;
        }
      }
      return false;
    },
    /** @param {string} type */
    hearsType: (type) => heardTypes[type],
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

/**
 * Where a library has put one of its own in its place, that library listens by `addEventListener`.
 * @param {any} owner
 * @param {string} name
 */
function nativeGetter(owner, name) {
  const get = holderOf(owner, name)?.descriptor.get;
  return get && indexOf(functionText(get), '[nat') > 0 ? uncurry(get) : () => {};
}

/** @param {any} target */
function isNodeOrWindow(target) {
  return target.nodeType !== undefined || target.window === target;
}
