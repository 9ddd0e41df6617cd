/**
 * A form that is not sent, for want of what it asks for. Blink says so in a bubble that it draws over the page, and that comes and goes by
 * its own clock: some pictures would have it, some half of it, and none of another browser's. What else it does is done in its stead: the
 * first field that the page does not speak for itself comes into view, and has the focus.
 */
import { append, apply, defineProperty, forWords } from '../natives.js';

/** Interfaces of what can be asked whether it is valid. */
const ASKED = [
  'HTMLFormElement checkValidity reportValidity requestSubmit', 'HTMLElement click', 'ElementInternals checkValidity reportValidity',
  'HTMLInputElement checkValidity reportValidity', 'HTMLTextAreaElement checkValidity reportValidity', 'HTMLSelectElement checkValidity reportValidity',
  'HTMLFieldSetElement checkValidity reportValidity', 'HTMLObjectElement checkValidity reportValidity', 'HTMLOutputElement checkValidity reportValidity',
  'HTMLButtonElement checkValidity reportValidity',
];

/** Tells the page, and nobody else. */
const IN_SILENCE = 'checkValidity';

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./waiting.js').Waiting} waiting
 */
export function createValidation(realm, waiting) {
  const { global } = realm;
  const drawsBubbles = global.InputDeviceCapabilities !== undefined;
  /** Calls of scripts that go on. */
  let silent = 0;
  let loud = 0;
  /** What was told to be invalid, and whether the page speaks for it. @type {{field: any, isSpokenFor: boolean}[]} */
  let invalid = [];

  function show() {
    const all = invalid;
    invalid = [];
    for (let i = 0; i < all.length; i += 1) {
      const { field, isSpokenFor } = all[i];
      if (!isSpokenFor && field.isConnected && realm.isShown(field)) {
        realm.scrollIntoViewIfNeeded(field, false);
        realm.focus(field);
        if (realm.hasFocus(field)) {
          break;
        }
      }
    }
    waiting.changed();
  }

  /**
   * To the browser the page speaks for all of them.
   * @param {any} event
   */
  function hear(event) {
    if (!event.isTrusted || silent > 0) {
      return;
    }
    const told = { field: realm.eventTarget(event), isSpokenFor: false };
    realm.preventDefault(event);
    const descriptors = /** @type {any} */ ({
      preventDefault: { value() { told.isSpokenFor = true; }, writable: true },
      defaultPrevented: { get: () => told.isSpokenFor },
      returnValue: { get: () => !told.isSpokenFor, set: (/** @type {any} */ goesOn) => { told.isSpokenFor ||= !goesOn; } },
    });
    for (const name in descriptors) {
      defineProperty(event, name, { __proto__: null, ...descriptors[name], configurable: true });
    }
    append(invalid, told);
    if (invalid.length === 1 && loud === 0) {
      // All are told in one go; what asked was the browser, and goes on then.
      realm.nextTurn(show);
    }
  }

  return {
    /** Whether nothing is still to be shown. */
    isOver: () => invalid.length === 0,

    /**
     * @param {import('../natives.js').Realm} own
     * @param {import('../patch.js').Patcher} patch
     */
    install(own, patch) {
      if (!drawsBubbles) {
        return;
      }
      own.addEventListener(own.global, 'invalid', hear, true);
      forWords(ASKED, (owner, name) => {
        patch.method(own.global[owner]?.prototype, name, (original) => ({
          [name]() {
            const isSilent = name === IN_SILENCE;
            silent += isSilent ? 1 : 0;
            loud += isSilent ? 0 : 1;
            try {
              return apply(original, this, arguments);
            } finally {
              silent -= isSilent ? 1 : 0;
              loud -= isSilent ? 0 : 1;
              if (loud === 0 && !isSilent && invalid.length > 0) {
                show();
              }
            }
          },
        })[name]);
      });
    },
  };
}
