/**
 * What a person does by other means than keys and pointer: text that a password manager, an input method or a menu puts
 * into a field, focus that is just there. Test drivers work in this way, too: `fill()` gives focus and then the text.
 */
import { indexOf } from '../natives.js';

/** @type {any} whether something is held down from then on */
const PRESSES = { __proto__: null, pointerdown: true, mousedown: true, keydown: true, pointerup: false, mouseup: false, keyup: false, pointercancel: false };

/** @param {import('../natives.js').Realm} realm */
export function createHands(realm) {
  let pressed = false;
  /** What a release leads to, as a click does, comes in the same task. */
  let released = false;

  return {
    /** @param {any} event a gesture */
    gave(event) {
      const press = PRESSES[realm.eventType(event)];
      if (press !== undefined && event.isTrusted) {
        pressed = press;
        if (!press && !released) {
          released = true;
          realm.nextTurn(() => {
            released = false;
          });
        }
      }
    },

    /**
     * @param {any} event
     * @param {string} type
     */
    isByOtherMeans(event, type) {
      if (pressed || released) {
        return false;
      }
      if (type === 'input') {
        // What is dropped was dragged: the pointer was lost to the browser meanwhile. What is composed comes of the composition.
        return !!event.inputType && indexOf(event.inputType, 'Drop') < 0 && indexOf(event.inputType, 'Drag') < 0 && indexOf(event.inputType, 'Composition') < 0;
      }
      const target = realm.eventTarget(event);
      return type === 'focus' && target.nodeType === 1 && !realm.hasAttribute(target, 'autofocus');
    },
  };
}
