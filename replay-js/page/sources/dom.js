/**
 * DOM events: seen by capturing listeners on the window, which were there before any of the page's.
 *
 * Gestures are what a person does, resizing the window included, and are always kept. Everything else the browser derives from them or from its own
 * work, and is kept where the page listens. What the page dispatches itself belongs to the event it does it in.
 */
import { apply, forWords } from '../natives.js';
import { forHandlers } from '../patch.js';
import { isChoice, dataOf, keepFiles } from './dom-data.js';
import { BY_TARGET, OF_MEDIA, installListening } from './listening.js';

/**
 * One physical action is one gesture: the mouse events that follow pointer events are derived. Style sheets follow the
 * window's size, whoever listens.
 */
const GESTURES = ['window wheel keydown keyup resize'];
const POINTER_GESTURES = ['window pointerdown pointermove pointerup pointercancel'];
const MOUSE_GESTURES = ['window mousedown mousemove mouseup'];

/** Derived events that are watched from the beginning beside those of which elements have `on…` attributes. All others are when first listened to. */
const DERIVED = ['window compositionend compositionstart compositionupdate focusin focusout hashchange message pageshow popstate storage visibilitychange' + OF_MEDIA];

/** What dispatches trusted events while it runs. */
const DISPATCHERS = [
  'HTMLElement focus blur click',
  'SVGElement focus blur',
  'HTMLFormElement requestSubmit reset reportValidity',
  'Document execCommand',
  'AbortController abort',
];

/** What does not come out of a shadow tree, so that the window does not see it. */
const INNER = ['inner focus blur change submit reset toggle cancel close scroll scrollend transitionrun transitionstart transitionend transitioncancel animationstart animationiteration animationend'];

/** Always kept: `document.readyState` and the load events have their place in the order whoever listens. */
const LIFECYCLE = ['window readystatechange DOMContentLoaded load'];

/** Moves nobody listens to are kept this often: `:hover` follows them. */
const MOVE_INTERVAL_MS = 50;
const MOVES = ['pointermove', 'mousemove', 'pointerover', 'pointerout', 'mouseover', 'mouseout', 'pointerenter', 'mouseenter', 'pointerleave', 'mouseleave'];

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../record/engine.js').Engine} engine
 * @param {import('../patch.js').Patcher} patch
 * @param {import('../watch.js').Watch} watch
 * @param {(target: any, type: string) => void} onHost
 * @param {(target: any) => any} locate locators of an element
 * @param {boolean} isLoad this window's document is the load itself, not a frame without a network in it
 * @param {ReturnType<import('./hands.js').createHands>} hands
 */
export function installDom(realm, engine, patch, watch, onHost, locate, isLoad, hands) {
  const { global, document } = realm;
  /** @type {any} */
  const watched = { __proto__: null };
  let lastMove = 0;
  /** Data of the last `pointerdown` or `pointerup`, which cannot count clicks by themselves. */
  let lastPress = /** @type {any} */ (null);
  /** The last event seen, not to count it twice: at the window or a document, and at a tree or an element of its own. */
  let lastSeen = /** @type {any} */ (null);

  /**
   * @param {any} event
   * @param {boolean} gesture
   * @param {boolean} [byDriver]
   */
  function happened(event, gesture, byDriver = false) {
    engine.dom(event, () => {
      const type = realm.eventType(event);
      const target = realm.composedPath(event)[0] ?? realm.eventTarget(event);
      const data = dataOf(realm, event, type, target, locate);
      lastPress = type === 'pointerdown' || type === 'pointerup' ? data : lastPress;
      data.scripted = !event.isTrusted || undefined;
      return { type, gesture: gesture || undefined, target: locate(target), data };
    }, gesture, byDriver);
    keepFiles(realm, gesture && realm.eventType(event) === 'change' && realm.eventTarget(event), engine.keeper);
  }

  /** @param {any} event */
  function onGesture(event) {
    hands.gave(event);
    if (event.isTrusted && !(engine.recording && isMove(event) && !event.buttons && thinOut(event))) {
      happened(event, true);
    }
  }

  /** @param {any} event */
  function isMove(event) {
    const type = realm.eventType(event);
    return type === 'pointermove' || type === 'mousemove';
  }

  /** @param {any} event */
  function thinOut(event) {
    const time = realm.eventTimeStamp(event);
    for (let i = 0; i < MOVES.length; i += 1) {
      // An attribute is asked of what the move passes: `onmousemove` is another type's than the pointer's.
      if (time - lastMove >= MOVE_INTERVAL_MS || listening.hearsType(MOVES[i]) || listening.hears(event, MOVES[i])) {
        lastMove = time;
        return false;
      }
    }
    return true;
  }

  /** @param {any} event */
  function onDerived(event) {
    const type = realm.eventType(event);
    if (event === lastSeen) {
      return;
    }
    lastSeen = event;
    // What WebKit says of a rejection is not trusted.
    if (!event.isTrusted && type !== 'rejectionhandled') {
      // Dispatched by a test driver in place of a person.
      if (engine.recording && engine.isVisited() && (isChange(type) || listening.hears(event, type))) {
        happened(event, true, true);
      }
      return;
    }
    if (lastPress && (type === 'mousedown' || type === 'mouseup')) {
      lastPress.clicks = event.detail || undefined;
      lastPress = null;
    }
    if (type === 'change' && isChoice(realm.eventTarget(event))) {
      happened(event, true);
    } else if (hands.isByOtherMeans(event, type) && engine.isAwaited(type)) {
      happened(event, true, true);
    } else if (listening.hears(event, type)) {
      happened(event, false);
    }
  }

  /** @param {any} event */
  function onLifecycle(event) {
    if (event.isTrusted && realm.eventTarget(event) === document) {
      if (realm.eventType(event) === 'DOMContentLoaded') {
        engine.place.parsed();
      }
      happened(event, false);
    }
  }

  /**
   * What comes to an element that is not in the document, and `load` and `error`: these do not pass the window in any case.
   * @param {any} event
   */
  function onResource(event) {
    if (!event.isTrusted || event === lastSeen || realm.eventTarget(event).nodeType !== 1) {
      return;
    }
    lastSeen = event;
    const type = realm.eventType(event);
    if (realm.localName(realm.eventTarget(event)) === 'script') {
      engine.scriptRan(realm.eventTarget(event), type);
    }
    if (listening.hears(event, type)) {
      happened(event, false);
    }
  }

  /** @param {string} type */
  function watchDerived(type) {
    if (!watched[type]) {
      watched[type] = true;
      watch(global, type, onDerived);
    }
  }

  /** @param {any} root of a shadow tree */
  function watchRoot(root) {
    forWords(INNER, (_kind, type) => realm.addEventListener(root, type, onDerived, true));
  }

  /**
   * @param {any} target
   * @param {string} type
   */
  function watchResource(target, type) {
    realm.addEventListener(target, type, onResource, true);
  }

  /**
   * @param {string[]} types
   * @param {(event: any) => void} listener
   */
  function watchAll(types, listener) {
    forWords(types, (_window, type) => {
      watched[type] = true;
      watch(global, type, listener);
    });
  }

  watchAll(GESTURES, onGesture);
  watchAll(global.PointerEvent ? POINTER_GESTURES : MOUSE_GESTURES, onGesture);
  if (isLoad) {
    watchAll(LIFECYCLE, onLifecycle);
  }
  // Errors of scripts have a source of their own; those of elements are seen at the document.
  watched.error = true;
  watchAll(DERIVED, onDerived);
  forHandlers(global.HTMLElement.prototype, (type) => BY_TARGET[type] || watchDerived(type));
  const listening = installListening(realm, patch, watched, { onType: watchDerived, onResource: watchResource, onHost, onRoot: watchRoot }, engine.isVisited);
  watch(document, 'load', onResource);
  watch(document, 'error', onResource);
  patchDispatchers(realm, engine, patch);
  return listening;
}

/** @param {string} type */
function isChange(type) {
  return type === 'input' || type === 'change';
}

/**
 * Methods that dispatch trusted events while they run: what they dispatch belongs to the caller's event.
 * @param {import('../natives.js').Realm} realm
 * @param {import('../record/engine.js').Engine} engine
 * @param {import('../patch.js').Patcher} patch
 */
function patchDispatchers(realm, engine, patch) {
  const { global } = realm;
  forWords(DISPATCHERS, (owner, name) => {
    patch.method(global[owner]?.prototype, name, (original) => ({
      call() {
        const given = arguments;
        return engine.isVisited() ? apply(original, this, given) : engine.inside(() => apply(original, this, given));
      },
    }).call);
  });
}
