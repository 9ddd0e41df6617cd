/**
 * Events that no driver can bring about, made from what the log has of them: touches where an engine has no touch screen,
 * and those of `made.js`.
 */
import { append, defineProperty, setPrototypeOf } from '../natives.js';
import { movesFocus } from './native-events.js';

const TEXT = 'textInput';

/** Told at its target alone. */
const STAYS = { __proto__: null, focus: 1, blur: 1, load: 1, mouseenter: 1, mouseleave: 1, pointerenter: 1, pointerleave: 1 };

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./pointer-numbers.js').NumberOf} numberOf
 */
export function createSynthetic(realm, numberOf) {
  const { global, interfaces } = realm;
  const active = { __proto__: null, capture: true, passive: false };
  /** Nobody would close the window that a file input opens. @param {any} event */
  function keepClosed(event) {
    const target = realm.composedPath(event)[0];
    if (target?.nodeType === 1 && target.type === 'file') {
      realm.preventDefault(event);
    }
  }
  realm.addEventListener(global, 'click', keepClosed, active);

  /**
   * @param {any} what
   * @param {any} target
   * @param {any} [relatedTarget]
   */
  return function synthesise(what, target, relatedTarget) {
    const { type, data = {} } = what;
    if (type === TEXT) {
      return textEvent(realm, data.data ?? '');
    }
    const bits = data.modifiers ?? 0;
    /** @type {any} */
    const init = {
      __proto__: null, bubbles: !STAYS[/** @type {'focus'} */ (type)], cancelable: true, composed: true, view: global,
      clientX: data.x, clientY: data.y, button: data.button, buttons: data.buttons, detail: data.clicks,
      key: data.key, code: data.code, deltaX: data.dx, deltaY: data.dy, inputType: data.inputType, data: data.data,
      altKey: (bits & 1) > 0, ctrlKey: (bits & 2) > 0, metaKey: (bits & 4) > 0, shiftKey: (bits & 8) > 0,
      relatedTarget: relatedTarget ?? null, pointerId: numberOf(data.pointer), isPrimary: true, pointerType: data.pointer ?? 'mouse',
    };
    const event = new interfaces[interfaceOf(interfaces, type, data)](type, init);
    if (type[0] === 't' && type[4] === 'h') {
      touches(event, target, data);
    }
    return event;
  };

  /**
   * Touches have no constructor in some engines.
   * @param {any} event
   * @param {any} target
   * @param {any} data
   */
  function touches(event, target, data) {
    const touch = { identifier: 0, target, clientX: data.x ?? 0, clientY: data.y ?? 0, pageX: (data.x ?? 0) + global.scrollX, pageY: (data.y ?? 0) + global.scrollY, force: 1 };
    const names = ['touches', 'targetTouches', 'changedTouches'];
    for (let i = 0; i < names.length; i += 1) {
      /** @type {any[]} */
      const list = [];
      if (i === 2 || event.type === 'touchstart' || event.type === 'touchmove') {
        append(list, touch);
      }
      defineProperty(event, names[i], { value: list });
    }
  }
}

/**
 * Its kind has no constructor, and WebKit enters the text of one that a script has made: this one only looks like it.
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {string} text
 */
function textEvent({ global, interfaces }, text) {
  const event = new interfaces.UIEvent(TEXT, { __proto__: null, bubbles: true, cancelable: true, composed: true, view: global });
  setPrototypeOf(event, interfaces.TextEvent.prototype);
  defineProperty(event, 'data', { value: text });
  return event;
}

/**
 * Whether this engine has such events at all.
 * @param {any} global
 * @param {string} type
 */
export function isKnown(global, type) {
  return type !== TEXT || global.TextEvent !== undefined;
}

/**
 * @param {any} interfaces
 * @param {string} type
 * @param {any} data
 */
function interfaceOf(interfaces, type, data) {
  if (type === 'wheel') {
    return 'WheelEvent';
  }
  if (data.key !== undefined) {
    return 'KeyboardEvent';
  }
  if (data.inputType !== undefined) {
    return 'InputEvent';
  }
  if (type[0] === 'c' && type[4] === 'o') {
    return 'CompositionEvent';
  }
  if (movesFocus(type)) {
    return 'FocusEvent';
  }
  if (data.x !== undefined) {
    return type[0] === 'p' && interfaces.PointerEvent ? 'PointerEvent' : 'MouseEvent';
  }
  return 'Event';
}

/** @typedef {ReturnType<typeof createSynthetic>} Synthesise */
