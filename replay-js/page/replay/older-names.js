/**
 * Who listens for `webkitTransitionEnd` hears only what the browser brings itself, not the copies that are given when they
 * are due: those listeners are put under the name of today.
 */
import { apply } from '../natives.js';
import { standardName } from '../sources/listening.js';

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../patch.js').Patcher} patch
 */
export function installOlderNames({ global }, patch) {
  const methods = /** @type {const} */ (['addEventListener', 'removeEventListener']);
  for (let i = 0; i < methods.length; i += 1) {
    patch.method(global.EventTarget.prototype, methods[i], (original) => ({
      [methods[i]](/** @type {any} */ type) {
        const given = arguments;
        given[0] = typeof type === 'string' ? standardName(type) : type;
        return apply(original, this, given);
      },
    })[methods[i]]);
  }
}
