/**
 * Who listens for `webkitTransitionEnd` hears only what the browser brings itself, not the copies that are given when they
 * are due: those listeners are put under the name of today, for as long as nobody listens by that name at the same target.
 * Where somebody does, browsers tell nobody by the older one: libraries that listen by both are told once.
 */
import { append, apply, newWeakMap, splice } from '../natives.js';
import { standardName } from '../sources/listening.js';

const HAVE_OLDER = { __proto__: null, transitionend: 1, animationstart: 1, animationiteration: 1, animationend: 1 };

/**
 * @typedef {{listener: any, options: any, capture: boolean}} Heard
 * @typedef {{byName: Heard[], byOlder: Heard[]}} Listeners of one type at one target
 */

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../patch.js').Patcher} patch
 */
export function installOlderNames({ global, addEventListener }, patch) {
  /** @type {WeakMap<object, Record<string, Listeners>>} */
  const known = newWeakMap();
  /** What stands below us, which notes who listens. @type {any[]} */
  const originals = [];

  /**
   * @param {any} target
   * @param {string} type
   * @param {Heard} heard
   */
  const takeAway = (target, type, { listener, capture }) => apply(originals[1], target, [type, listener, capture]);

  /**
   * @param {any} target
   * @param {string} type
   */
  function listenersOf(target, type) {
    const types = known.get(target) ?? /** @type {any} */ ({ __proto__: null });
    known.set(target, types);
    types[type] ??= { byName: [], byOlder: [] };
    return types[type];
  }

  /**
   * @param {any} target
   * @param {string} type
   * @param {Heard[]} list
   * @param {Heard} heard
   */
  function put(target, type, list, heard) {
    const { listener, options, capture } = heard;
    apply(originals[0], target, [type, listener, options]);
    if (typeof options === 'object' && options?.once) {
      // Behind it, when it was told.
      addEventListener(target, type, () => forget(target, type, list, heard), { __proto__: null, once: true, capture });
    }
  }

  /**
   * @param {any} target
   * @param {string} type
   * @param {Heard[]} list
   * @param {Heard} heard
   */
  function forget(target, type, list, { listener, capture }) {
    const at = heardAt(list, listener, capture);
    const { byName, byOlder } = listenersOf(target, type);
    if (at >= 0) {
      splice(list, at, 1);
      if (list === byName && byName.length === 0) {
        for (let i = 0; i < byOlder.length; i += 1) {
          put(target, type, byOlder, byOlder[i]);
        }
      }
    }
  }

  /**
   * @param {any} target
   * @param {string} type
   * @param {boolean} isOlder
   * @param {Heard} heard
   */
  function add(target, type, isOlder, heard) {
    const { byName, byOlder } = listenersOf(target, type);
    const list = isOlder ? byOlder : byName;
    if (heardAt(list, heard.listener, heard.capture) < 0) {
      append(list, heard);
    }
    if (!isOlder && byName.length === 1) {
      for (let i = 0; i < byOlder.length; i += 1) {
        takeAway(target, type, byOlder[i]);
      }
    }
    if (!isOlder || byName.length === 0) {
      put(target, type, list, heard);
    }
  }

  /**
   * @param {any} target
   * @param {string} type
   * @param {boolean} isOlder
   * @param {Heard} heard
   */
  function remove(target, type, isOlder, heard) {
    const { byName, byOlder } = listenersOf(target, type);
    if (!isOlder || byName.length === 0) {
      takeAway(target, type, heard);
    }
    forget(target, type, isOlder ? byOlder : byName, heard);
  }

  const methods = /** @type {const} */ (['addEventListener', 'removeEventListener']);
  for (let i = 0; i < methods.length; i += 1) {
    patch.method(global.EventTarget.prototype, methods[i], (original) => {
      append(originals, original);
      return {
        [methods[i]](/** @type {any} */ type, /** @type {any} */ listener, /** @type {any} */ options) {
          const given = arguments;
          const standard = typeof type === 'string' ? standardName(type) : type;
          // At the window we listen ourselves, and a recording tells both.
          if (listener && this && this !== global && typeof standard === 'string' && HAVE_OLDER[/** @type {'transitionend'} */ (standard)]) {
            const capture = typeof options === 'object' ? options?.capture === true : options === true;
            const change = i === 0 ? add : remove;
            change(this, standard, standard !== type, { listener, options, capture });
            return undefined;
          }
          given[0] = standard;
          return apply(original, this, given);
        },
      }[methods[i]];
    });
  }
}

/**
 * @param {Heard[]} list
 * @param {any} listener
 * @param {boolean} capture
 */
function heardAt(list, listener, capture) {
  for (let i = 0; i < list.length; i += 1) {
    if (list[i].listener === listener && list[i].capture === capture) {
      return i;
    }
  }
  return -1;
}
