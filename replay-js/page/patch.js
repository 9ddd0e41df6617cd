/**
 * The only writer to objects the page can see.
 *
 * A replacement keeps the descriptor's flags, the function's `name` and `length`, and prints as the function it
 * replaces; it goes where the original was (own or on a prototype). What the page has patched over us since is left
 * alone when we restore.
 */
import { append, apply, defineAsGiven, defineProperty, descriptorAsFound, getOwnPropertyDescriptor, getPrototypeOf, holderOf, originals, ownKeys, setPrototypeOf, slice } from './natives.js';

/**
 * @param {any} global
 */
export function createPatcher(global) {
  /** @type {{holder: any, name: PropertyKey, before: PropertyDescriptor, after: PropertyDescriptor}[]} */
  const done = [];

  /**
   * @param {any} object
   * @param {PropertyKey} name
   * @param {(before: PropertyDescriptor) => PropertyDescriptor} change
   * @returns {boolean} false where there is nothing to patch, or it cannot be patched
   */
  function property(object, name, change) {
    const found = object && holderOf(object, name);
    if (!found || !(found.descriptor.configurable || found.descriptor.writable)) {
      return false;
    }
    const { holder, descriptor: before } = found;
    const after = /** @type {PropertyDescriptor} */ ({ __proto__: null, ...before, ...change(before) });
    defineAsGiven(holder, name, after);
    append(done, { holder, name, before, after });
    return true;
  }

  /**
   * Replaces a method. `make` gets the original and returns the replacement, written as a method so that it is no
   * constructor and has no `prototype`, like the browser's own.
   * @param {any} object
   * @param {PropertyKey} name
   * @param {(original: any) => any} make
   */
  function method(object, name, make) {
    return property(object, name, (before) => {
      const original = before.value;
      return typeof original === 'function' ? { value: disguise(make(original), original) } : {};
    });
  }

  /**
   * Replaces the getter and the setter of an accessor, each where the browser has one and what `make` returns has one of
   * this name: written as an accessor, which is called as the browser's own is.
   * @param {any} object
   * @param {string} name
   * @param {(get: any, set: any) => any} make
   */
  function accessor(object, name, make) {
    return property(object, name, (before) => {
      if (!before.get && !before.set) {
        return {};
      }
      const made = /** @type {PropertyDescriptor} */ (getOwnPropertyDescriptor(make(before.get, before.set), name));
      return { get: instead(made.get, before.get), set: instead(made.set, before.set) };
    });
  }

  /**
   * Replaces the setters of `on…` attributes that an object owns, before each page's first script: so none asks for a
   * descriptor twice or is copied on the way, as in `accessor`.
   * @param {any} owner
   * @param {(type: string) => boolean} isWanted
   * @param {(name: string, set: any) => any} make returns an object with a setter of this name
   */
  function handlers(owner, isWanted, make) {
    forHandlers(owner, (type, name) => {
      const before = isWanted(type) && descriptorAsFound(owner, name);
      if (before && before.set && before.configurable) {
        const { get, set: original, enumerable } = before;
        const set = descriptorAsFound(make(name, original), name)?.set;
        const after = /** @type {any} */ ({ __proto__: null, get, set, enumerable, configurable: true });
        originals.set(/** @type {any} */ (set), original);
        defineAsGiven(owner, name, after);
        append(done, { holder: owner, name, before, after });
      }
    });
  }

  /**
   * Replaces a constructor. The replacement shares `prototype` and copies the statics, and
   * `prototype.constructor` leads to it.
   * @param {string} name
   * @param {(Original: any) => any} make
   */
  function constructor(name, make) {
    const Original = global[name];
    if (typeof Original !== 'function') {
      return false;
    }
    const Replacement = disguise(make(Original), Original);
    const keys = ownKeys(Original);
    for (let i = 0; i < keys.length; i += 1) {
      const key = keys[i];
      const descriptor = getOwnPropertyDescriptor(Original, key);
      if (descriptor && key !== 'name' && key !== 'length') {
        defineProperty(Replacement, key, descriptor);
      }
    }
    setPrototypeOf(Replacement, getPrototypeOf(Original));
    property(Original.prototype, 'constructor', () => ({ value: Replacement }));
    return property(global, name, () => ({ value: Replacement }));
  }

  /** Puts everything back, last first, except what somebody else has replaced meanwhile. */
  function restore() {
    for (let i = done.length - 1; i >= 0; i -= 1) {
      const { holder, name, before, after } = done[i];
      const now = getOwnPropertyDescriptor(holder, name);
      if (now && now.value === after.value && now.get === after.get && now.set === after.set) {
        defineProperty(holder, name, before);
      }
    }
    done.length = 0;
  }

  method(global.Function.prototype, 'toString', (original) => ({
    toString() {
      return apply(original, originals.get(this) ?? this, []);
    },
  }).toString);

  return { method, accessor, handlers, constructor, restore };
}

/** @typedef {ReturnType<typeof createPatcher>} Patcher */

/**
 * The `on…` attributes that an object owns.
 * @param {any} owner
 * @param {(type: string, name: string) => void} use
 */
export function forHandlers(owner, use) {
  const names = /** @type {string[]} */ (owner ? ownKeys(owner) : []);
  for (let i = 0; i < names.length; i += 1) {
    if (names[i][0] === 'o' && names[i][1] === 'n') {
      use(slice(names[i], 2), names[i]);
    }
  }
}

/**
 * @param {any} replacement
 * @param {any} original
 */
function instead(replacement, original) {
  if (replacement && original) {
    originals.set(replacement, original);
    return replacement;
  }
  return original;
}

/**
 * @param {any} replacement
 * @param {any} original
 */
function disguise(replacement, original) {
  sameValue(replacement, original, 'name');
  sameValue(replacement, original, 'length');
  originals.set(replacement, original);
  return replacement;
}

/**
 * @param {any} replacement
 * @param {any} original
 * @param {string} name of what all functions have as a value
 */
function sameValue(replacement, original, name) {
  const found = descriptorAsFound(original, name);
  if (found) {
    defineAsGiven(replacement, name, /** @type {any} */ ({ __proto__: null, value: found.value, configurable: true }));
  }
}
