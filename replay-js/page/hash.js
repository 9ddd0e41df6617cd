/** Hashes that name callbacks and request bodies. They tell things apart; they protect nothing. */
import { charCode, functionText, imul, indexOf, newWeakMap, numberText, originals, slice } from './natives.js';

/** Beyond this, a text is known by its length, its beginning and its end: a callback may close over a whole bundle. */
const SAMPLE = 2048;

/**
 * 53 bits of a text, in hexadecimal.
 * @param {string} source
 */
export function hashText(source) {
  const length = source.length;
  let sample = source;
  if (length > 2 * SAMPLE) {
    sample = slice(source, 0, SAMPLE) + slice(source, -SAMPLE);
  }
  let a = 0xdeadbeef ^ length;
  let b = 0x41c6ce57 ^ length;
  for (let i = 0; i < sample.length; i += 1) {
    const code = charCode(sample, i);
    a = imul(a ^ code, 2654435761);
    b = imul(b ^ code, 1597334677);
  }
  a = imul(a ^ (a >>> 16), 2246822507) ^ imul(b ^ (b >>> 13), 3266489909);
  b = imul(b ^ (b >>> 16), 2246822507) ^ imul(a ^ (a >>> 13), 3266489909);
  return numberText((b & 0x1fffff) * 0x100000000 + (a >>> 0), 16);
}

/**
 * Remembers functions' hashes and hands each new text to `onNew` once.
 * @param {(hash: string, source: string) => void} onNew
 */
export function createCallbackHasher(onNew) {
  const known = newWeakMap();
  /** @type {any} */
  const told = { __proto__: null };
  /**
   * @param {any} callback
   * @returns {string}
   */
  return function hashCallback(callback) {
    const isFunction = typeof callback === 'function';
    let hash = isFunction && known.get(callback);
    if (hash) {
      return hash;
    }
    const source = isFunction ? readable(callback) : '' + callback;
    hash = hashText(source);
    if (isFunction) {
      known.set(callback, hash);
    }
    if (!told[hash]) {
      told[hash] = true;
      onNew(hash, slice(source, 0, 400));
    }
    return hash;
  };
}

/**
 * A function's source; engines print native and bound functions each in their own way, so those go by their name, and what
 * stands for one of the browser's here and is another in a replay goes by what it stands for.
 * @param {any} callback
 */
function readable(callback) {
  const source = functionText(originals.get(callback) || callback);
  const short = source.length < 200 && indexOf(source, '[native code]') >= 0;
  // Those of `Promise.withResolvers()` have names in WebKit only.
  return !short ? source : callback.name === 'resolve' || callback.name === 'reject' ? 'native ' : 'native ' + callback.name;
}
