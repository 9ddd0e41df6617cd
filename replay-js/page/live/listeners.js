/**
 * Which elements the page listens at for what a hand does: those can be acted on, whatever they look like.
 *
 * Not the recorder's own list, which only needs to know that a type is listened to at all. Listeners that are taken off
 * again are still known: an element too many costs a click that does nothing, one too few is never tried.
 */
import { apply, newWeakMap, objectKeys, slice } from '../natives.js';

const HAND = { __proto__: null, click: 1, dblclick: 1, mousedown: 1, mouseup: 1, pointerdown: 1, pointerup: 1, touchstart: 1, touchend: 1, keydown: 1, keyup: 1, keypress: 1 };

/** @param {any} type @returns {boolean} */
function isOfHand(type) {
  return typeof type === 'string' && type in HAND;
}

export function createListeners() {
  /** @type {WeakMap<object, any>} */
  const heard = newWeakMap();

  /**
   * @param {any} target
   * @param {string} type
   */
  function note(target, type) {
    const types = heard.get(target) ?? { __proto__: null };
    types[type] = true;
    heard.set(target, types);
  }

  return {
    /**
     * Before the sources are installed, so that the page's call passes here last.
     * @param {any} global
     * @param {import('../patch.js').Patcher} patch
     */
    install(global, patch) {
      patch.method(global.EventTarget.prototype, 'addEventListener', (original) => ({
        addEventListener(/** @type {any} */ type, /** @type {any} */ callback) {
          if (callback && isOfHand(type) && /** @type {any} */ (this)?.nodeType === 1) {
            note(this, type);
          }
          return apply(original, this, arguments);
        },
      }).addEventListener);
      const owners = [global.HTMLElement?.prototype, global.SVGElement?.prototype];
      const types = objectKeys(HAND);
      for (let i = 0; i < owners.length; i += 1) {
        for (let k = 0; k < types.length; k += 1) {
          const name = 'on' + types[k];
          patch.accessor(owners[i], name, (_get, set) => ({
            set [name](/** @type {any} */ handler) {
              if (handler) {
                note(this, types[k]);
              }
              apply(set, this, [handler]);
            },
          }));
        }
      }
    },
    /**
     * What an element listens to, attributes and the handlers of frameworks that listen at the root included.
     * @param {any} element
     * @param {(element: any, name: string) => boolean} hasAttribute
     * @returns {string[]}
     */
    of(element, hasAttribute) {
      /** @type {string[]} */
      const found = [];
      const known = heard.get(element);
      const types = objectKeys(HAND);
      for (let i = 0; i < types.length; i += 1) {
        if (known?.[types[i]] || hasAttribute(element, 'on' + types[i])) {
          found[found.length] = types[i];
        }
      }
      if (found.length === 0 && reactClicks(element)) {
        found[0] = 'click';
      }
      return found;
    },
  };
}

/** @typedef {ReturnType<typeof createListeners>} Listeners */

/**
 * React listens at its root and keeps what it was given on the element.
 * @param {any} element
 */
function reactClicks(element) {
  const keys = objectKeys(element);
  for (let i = 0; i < keys.length; i += 1) {
    if (slice(keys[i], 0, 13) === '__reactProps$') {
      const props = element[keys[i]];
      return !!(props && (props.onClick || props.onMouseDown || props.onPointerDown || props.onKeyDown));
    }
  }
  return false;
}
