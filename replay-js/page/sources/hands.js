/**
 * What a person does by other means than keys and pointer: text that a password manager, an input method or a menu puts
 * into a field, focus that is just there. Test drivers work in this way, too: `fill()` gives focus and then the text.
 */
import { pageIsCalling } from '../callers.js';
import { indexOf } from '../natives.js';

/** @type {any} whether something is held down from then on */
const PRESSES = { __proto__: null, pointerdown: true, mousedown: true, keydown: true, pointerup: false, mouseup: false, keyup: false, pointercancel: false };

/** @param {import('../natives.js').Realm} realm */
export function createHands(realm) {
  let pressed = false;
  /** What a press or a release leads to, as to a click, comes in the same task. */
  let inTurn = false;

  return {
    /** @param {any} event a gesture */
    gave(event) {
      const press = PRESSES[realm.eventType(event)];
      if (press !== undefined && event.isTrusted) {
        pressed = press;
        inTurn = true;
        realm.nextTurn(() => {
          inTurn = false;
        });
      }
    },

    /**
     * @param {any} event
     * @param {string} type
     */
    isByOtherMeans(event, type) {
      if (pressed) {
        return false;
      }
      if (type === 'input') {
        // What is dropped was dragged: the pointer was lost to the browser meanwhile. What is composed comes of the composition.
        const how = event.inputType;
        const isNot = (/** @type {string} */ part) => indexOf(how, part) < 0;
        return !!how && isNot('Drop') && isNot('Drag') && isNot('Composition') && (!inTurn || isNot('Paste'));
      }
      const target = realm.eventTarget(event);
      // A driver calls as soon as a key is up, before a turn of ours.
      return type === 'focus' && target.nodeType === 1 && !realm.hasAttribute(target, 'autofocus') && (!inTurn || pageIsCalling() === null);
    },
  };
}
