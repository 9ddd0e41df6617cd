/**
 * Scrolling that a page asks to be smooth is done at once: how far it has come by a look is up to the clock. Chromium
 * and Firefox are started without it, which WebKit cannot be.
 */
import { apply } from '../natives.js';
import { createWholeScrolling } from './whole-scrolling.js';

const TO_ITS_START = { __proto__: null, block: 'start', inline: 'nearest' };
const TO_ITS_END = { __proto__: null, block: 'end', inline: 'nearest' };

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../patch.js').Patcher} patch
 */
export function installSmoothScrolling(realm, patch) {
  const { global } = realm;
  const Element = global.Element.prototype;
  const toWholePixels = createWholeScrolling(global);
  const owners = [global, Element];
  const names = ['scroll', 'scrollTo', 'scrollBy'];
  for (let i = 0; i < owners.length; i += 1) {
    for (let k = 0; k < names.length; k += 1) {
      patch.method(owners[i], names[k], (original) => ({
        scroll() {
          return apply(original, this, atOnce(arguments));
        },
      }).scroll);
    }
  }
  patch.method(Element, 'scrollIntoView', (original) => ({
    scrollIntoView() {
      const how = arguments[0];
      const given = isDictionary(how) ? how : how || how === undefined || how === null ? TO_ITS_START : TO_ITS_END;
      const result = apply(original, this, [{ __proto__: given, behavior: 'instant' }]);
      toWholePixels(this);
      return result;
    },
  }).scrollIntoView);
}

/** @param {any} given */
function atOnce(given) {
  if (isDictionary(given[0])) {
    return [{ __proto__: given[0], behavior: 'instant' }];
  }
  // One number alone is an error, and the browser says so.
  return given.length < 2 ? given : [{ left: given[0], top: given[1], behavior: 'instant' }];
}

/** @param {any} value */
function isDictionary(value) {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
