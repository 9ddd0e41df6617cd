/**
 * Scrolling that a page asks to be smooth is done at once, or as the log tells of it (`on-the-way.js`): how far it has come by a look is
 * up to the clock. Chromium and Firefox are started without it, which WebKit cannot be.
 */
import { apply } from '../natives.js';
import { createWholeScrolling } from './whole-scrolling.js';

const TO_ITS_START = { __proto__: null, block: 'start', inline: 'nearest' };
const TO_ITS_END = { __proto__: null, block: 'end', inline: 'nearest' };

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../patch.js').Patcher} patch
 * @param {import('./on-the-way.js').OnTheWay} onTheWay
 */
export function installSmoothScrolling(realm, patch, onTheWay) {
  const { global } = realm;
  const Element = global.Element.prototype;
  const toWholePixels = createWholeScrolling(global);
  const owners = [global, Element];
  const names = ['scroll', 'scrollTo', 'scrollBy'];
  for (let i = 0; i < owners.length; i += 1) {
    for (let k = 0; k < names.length; k += 1) {
      patch.method(owners[i], names[k], (original) => ({
        scroll() {
          const places = onTheWay.before(owners[i] === global ? undefined : this);
          const result = apply(original, this, atOnce(arguments));
          onTheWay.back(places, behaviorOf(arguments[0]));
          return result;
        },
      }).scroll);
    }
  }
  patch.method(Element, 'scrollIntoView', (original) => ({
    scrollIntoView() {
      const how = arguments[0];
      const given = isDictionary(how) ? how : how || how === undefined || how === null ? TO_ITS_START : TO_ITS_END;
      const places = onTheWay.before(this);
      const result = apply(original, this, [{ __proto__: given, behavior: 'instant' }]);
      toWholePixels(this);
      onTheWay.back(places, behaviorOf(how));
      return result;
    },
  }).scrollIntoView);
}

/**
 * Asked of what has been scrolled, so that it is one that there is.
 * @param {any} how
 */
function behaviorOf(how) {
  return isDictionary(how) ? how.behavior : undefined;
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
