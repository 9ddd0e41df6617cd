/**
 * A person who turns to another window, or closes this one: the field that has the focus is told that it has lost it, and keeps
 * it. No driver can do that; what the log says is given. What a page loses by a script's doing is in the script's own event.
 */
import { movesFocus } from './native-events.js';

/** @param {string} type */
export function isOfFocus(type) {
  return type === 'change' || movesFocus(type);
}

/**
 * Whether an event is of the window that came, or went, with the focus where it stands.
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {string} type
 * @param {any} target
 */
export function isOfWindow(realm, type, target) {
  if (!isOfFocus(type) || !target) {
    return false;
  }
  // A window or a document, of a frame as well.
  if (target.nodeType !== 1) {
    return movesFocus(type);
  }
  // What is hidden loses the focus in one browser and keeps it in another.
  const box = realm.hasFocus(target) && realm.boundingBox(target);
  return box && box.width > 0 && box.height > 0;
}
