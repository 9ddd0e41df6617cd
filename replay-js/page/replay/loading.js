/**
 * Who loads what. Whatever a page makes it makes in events of the log, and none of these runs while one is waited for: where no element has
 * the address by then of which the log has that it was loaded, nobody will.
 */
import { append, uncurry } from '../natives.js';

/** What tells of it. */
const TELLS = { __proto__: null, load: true, error: true };

/** So many more elements, and those are forgotten that the page has. */
const MANY = 200;

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {any[]} shadowRoots
 */
export function createLoading(realm, shadowRoots) {
  const { WeakRef } = realm.global;
  const elementOf = WeakRef && uncurry(WeakRef.prototype.deref);
  /** Elements at which somebody listens, in the document or not. @type {any[]} */
  let heard = [];
  let most = MANY;
  let windows = 0;

  function forget() {
    /** @type {any[]} */
    const kept = [];
    for (let i = 0; i < heard.length; i += 1) {
      if (elementOf(heard[i])) {
        append(kept, heard[i]);
      }
    }
    heard = kept;
    most = kept.length + MANY;
  }

  return {
    /**
     * We listen at each element at which the page does, just before it.
     * @param {import('../natives.js').Realm} added
     */
    watch(added) {
      const listen = added.addEventListener;
      windows += 1;
      added.addEventListener = (/** @type {any} */ target, /** @type {string} */ type, /** @type {any} */ listener, /** @type {any} */ options) => {
        if (elementOf && TELLS[/** @type {'load'} */ (type)] && target.nodeType === 1) {
          append(heard, new WeakRef(target));
          if (heard.length > most) {
            forget();
          }
        }
        listen(target, type, listener, options);
      };
    },

    /**
     * Whether nobody loads this, as far as that can be told. What stands in a frame or in a shadow tree without listening itself is not looked for.
     * @param {string} address
     */
    isNobodys(address) {
      if (!elementOf || windows > 1 || shadowRoots.length > 0) {
        return false;
      }
      for (let i = 0; i < heard.length; i += 1) {
        const element = elementOf(heard[i]);
        if (element && addressOf(element) === address) {
          return false;
        }
      }
      const standing = realm.queryLoading();
      for (let i = 0; i < standing.length; i += 1) {
        if (addressOf(standing[i]) === address) {
          return false;
        }
      }
      return true;
    },
  };
}

/** What an element loads. @param {any} element */
export function addressOf(element) {
  return element.src || element.href;
}

/** @typedef {ReturnType<typeof createLoading>} Loading */
