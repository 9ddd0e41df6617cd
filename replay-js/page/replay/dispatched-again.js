/** Events of the browser's that the page gets later than they came. */
import { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } from '../natives.js';

/**
 * Dispatches a copy: in Chromium an event that was stopped stays stopped at targets other than nodes, and the
 * window's own load events are taken for being dispatched ever after. An event is an initialiser of its own kind.
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {any} event
 * @param {any} target
 */
export function dispatchAgain(realm, event, target) {
  const copy = copyOf(realm, event);
  realm.dispatchEvent(target, copy);
  return copy;
}

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {any} event
 */
export function copyOf(realm, event) {
  return copyBy(event, getOwnPropertyDescriptor(getPrototypeOf(event), 'constructor')?.value ?? realm.interfaces.Event);
}

/**
 * @param {any} event
 * @param {any} Interface
 */
function copyBy(event, Interface) {
  try {
    return new Interface(event.type, event);
  } catch {
    const { bubbles, cancelable, data, origin, lastEventId, source } = event;
    if (source === undefined) {
      // WebKit's XMLHttpRequestProgressEvent has no constructor of its own.
      return copyBy(event, getPrototypeOf(Interface));
    }
    // Firefox takes a sandboxed frame for no window.
    const copy = new Interface(event.type, { __proto__: null, bubbles, cancelable, data, origin, lastEventId });
    defineProperty(copy, 'source', { value: source });
    return copy;
  }
}
