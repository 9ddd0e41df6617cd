/**
 * Scrolling that a page asks to be smooth is done in one step: how far it has come by a look is up to the clock. The code that asks
 * still finds everything where it was, as it does in every browser. Chromium and Firefox are started without smooth scrolling, which
 * WebKit cannot be.
 */
import { newPromise } from '../more-natives.js';
import { apply, then, uncurry } from '../natives.js';
import { createWholeScrolling } from './whole-scrolling.js';

const TO_ITS_START = { __proto__: null, block: 'start', inline: 'nearest' };
const TO_ITS_END = { __proto__: null, block: 'end', inline: 'nearest' };

/** Turns of microtasks after which the code that asked has gone on, with an `await` or two. */
const HOPS = 8;

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../patch.js').Patcher} patch
 */
export function installSmoothScrolling(realm, patch) {
  const { global } = realm;
  const Element = global.Element.prototype;
  const toWholePixels = createWholeScrolling(global);
  const computed = global.getComputedStyle;
  const valueOf = uncurry(global.CSSStyleDeclaration.prototype.getPropertyValue);
  const scrollElement = uncurry(Element.scrollTo);
  const createElement = uncurry(global.Document.prototype.createElement);
  const owners = [global, Element];
  const names = ['scroll', 'scrollTo', 'scrollBy'];
  /** Whether a page is told when it has been scrolled. @type {boolean | undefined} */
  let promises;

  /** @param {() => any} scroll */
  function soon(scroll) {
    promises ??= scrollElement(createElement(global.document, 'i'), { __proto__: null }) !== undefined;
    /** @type {Promise<any>} */
    let turn = new newPromise((resolve) => resolve(undefined));
    for (let i = 0; i < HOPS; i += 1) {
      turn = then(turn, () => {});
    }
    const scrolled = then(turn, scroll);
    return promises ? scrolled : undefined;
  }

  /**
   * @param {any} behavior
   * @param {any} element
   */
  function isSmooth(behavior, element) {
    return behavior === 'smooth' || (behavior !== 'instant' && valueOf(computed(element), 'scroll-behavior') === 'smooth');
  }

  for (let i = 0; i < owners.length; i += 1) {
    for (let k = 0; k < names.length; k += 1) {
      patch.method(owners[i], names[k], (original) => ({
        scroll() {
          const how = arguments[0];
          // One number alone is an error, and the browser says so.
          if (!isDictionary(how) && arguments.length < 2) {
            return apply(original, this, arguments);
          }
          const { left, top, behavior } = isDictionary(how) ? how : { left: how, top: arguments[1], behavior: undefined };
          const atOnce = { __proto__: null, left, top, behavior: 'instant' };
          const run = () => apply(original, this, [atOnce]);
          return isSmooth(behavior, i === 0 ? global.document.documentElement : this) ? soon(run) : run();
        },
      }).scroll);
    }
  }
  patch.method(Element, 'scrollIntoView', (original) => ({
    scrollIntoView() {
      const how = arguments[0];
      const given = isDictionary(how) ? how : how || how === undefined || how === null ? TO_ITS_START : TO_ITS_END;
      const atOnce = { __proto__: given, behavior: 'instant' };
      const run = () => {
        const result = apply(original, this, [atOnce]);
        toWholePixels(this);
        return result;
      };
      return isDictionary(how) && how.behavior === 'smooth' ? soon(run) : run();
    },
  }).scrollIntoView);
}

/** @param {any} value */
function isDictionary(value) {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
