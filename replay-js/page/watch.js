/**
 * Our own listeners on the window and the document: first because they are added first, and back again after
 * `document.open`, which takes all listeners off both.
 */
import { append, apply, splice } from './natives.js';

/**
 * @param {import('./natives.js').Realm} realm
 * @param {import('./patch.js').Patcher} patch
 */
export function createWatch(realm, patch) {
  const options = { __proto__: null, capture: true, passive: true };
  /** @type {{target: any, type: string, listener: any}[]} */
  const watched = [];

  const again = (/** @type {string} */ name) =>
    patch.method(realm.global.Document.prototype, name, (original) => ({
      open() {
        const result = apply(original, this, arguments);
        for (let i = 0; this === realm.document && i < watched.length; i += 1) {
          // Adding a listener that is still there does nothing.
          realm.addEventListener(watched[i].target, watched[i].type, watched[i].listener, options);
        }
        return result;
      },
    }).open);
  again('open');
  again('write');
  again('writeln');

  /**
   * @param {any} target the window or the document
   * @param {string} type
   * @param {(event: any) => void} listener
   */
  function watch(target, type, listener) {
    append(watched, { target, type, listener });
    realm.addEventListener(target, type, listener, options);
  }

  /** Leaves the window to somebody else. */
  function unwatch() {
    const all = splice(watched, 0, watched.length);
    for (let i = 0; i < all.length; i += 1) {
      realm.removeEventListener(all[i].target, all[i].type, all[i].listener, options);
    }
  }

  return { watch, unwatch };
}

/** @typedef {ReturnType<typeof createWatch>['watch']} Watch */
