/**
 * JSON without `JSON`: pages put `toJSON` on prototypes (Prototype.js does on arrays) and replace `JSON.stringify`.
 * The output is ASCII, so that its length is its size on the wire.
 */
import { append, isArray, isFiniteNumber, objectKeys, quote, join, charCode, numberText, slice } from './natives.js';

/**
 * @param {any} value plain data: null, booleans, numbers, text, arrays, objects; `undefined` members are left out
 * @returns {string}
 */
export function encode(value) {
  switch (typeof value) {
    case 'string':
      return ascii(quote(value));
    case 'number':
      return isFiniteNumber(value) ? '' + value : 'null';
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      return value === null ? 'null' : encodeObject(value);
    default:
      return 'null';
  }
}

/** @param {any} value */
function encodeObject(value) {
  /** @type {string[]} */
  const parts = [];
  if (isArray(value)) {
    for (let i = 0; i < value.length; i += 1) {
      append(parts, encode(value[i]));
    }
    return '[' + join(parts, ',') + ']';
  }
  const keys = objectKeys(value);
  for (let i = 0; i < keys.length; i += 1) {
    if (value[keys[i]] !== undefined) {
      append(parts, encode(keys[i]) + ':' + encode(value[keys[i]]));
    }
  }
  return '{' + join(parts, ',') + '}';
}

/** @param {string} quoted */
function ascii(quoted) {
  let out = '';
  let from = 0;
  for (let i = 0; i < quoted.length; i += 1) {
    const code = charCode(quoted, i);
    if (code > 126) {
      out += slice(quoted, from, i) + '\\u' + slice('000' + numberText(code, 16), -4);
      from = i + 1;
    }
  }
  return from === 0 ? quoted : out + slice(quoted, from);
}
