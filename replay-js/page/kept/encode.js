/**
 * A value that the browser had stored, as JSON: what JSON has stands for itself, anything else is an object with its kind
 * in `$`. Objects count in the order in which they are met, so that one that is met again is named by its number.
 *
 * Plain objects stay what they are, so that people can read them, and redaction rules that name paths reach into them.
 *
 * To be run before the page's first script: what is looked up here is still the browser's own.
 */
import { append, charCode, fromCharCode, isArray, newMap, objectKeys, objectTag, slice } from '../natives.js';
import { textOfBytes } from './base64.js';

/** What no text can stand for: keys that must not leave the browser, handles of files, pixels of the graphics card. */
export class Unkeepable {
  /** @param {string} what */
  constructor(what) {
    this.what = what;
  }
}

/** What a graph of points and boxes is made anew by. */
export const GEOMETRY = { __proto__: null, DOMPoint: 'fromPoint', DOMPointReadOnly: 'fromPoint', DOMRect: 'fromRect', DOMRectReadOnly: 'fromRect', DOMMatrix: 'fromMatrix', DOMMatrixReadOnly: 'fromMatrix', DOMQuad: 'fromQuad' };

/**
 * @param {any} global
 * @param {any} value
 * @param {(bytes: number) => void} makeRoom throws where so many more are too many
 */
export async function encodeValue(global, value, makeRoom) {
  const seen = newMap();
  let count = 0;
  /** @type {{into: any, blob: any}[]} what can be read only later */
  const blobs = [];

  /**
   * @param {any} value
   * @returns {any}
   */
  function at(value) {
    switch (typeof value) {
      case 'boolean':
        return value;
      case 'string':
        return encodeText(global, value);
      case 'number':
        return encodeNumber(value);
      case 'bigint':
        return { $: 'bigint', is: '' + value };
      case 'undefined':
        return { $: 'undefined' };
      default:
        return value === null ? null : met(value);
    }
  }

  /**
   * @param {any} value
   * @returns {any}
   */
  function met(value) {
    if (seen.has(value)) {
      return { $: 'same', as: seen.get(value) };
    }
    seen.set(value, count);
    count += 1;
    return isArray(value) ? list(value) : composite(value, slice(objectTag(value), 8, -1));
  }

  /**
   * @param {any} value
   * @param {string} kind
   * @returns {any}
   */
  function composite(value, kind) {
    switch (kind) {
      case 'Object':
        return plain(value);
      case 'Date':
        return { $: 'date', is: encodeNumber(value.getTime()) };
      case 'RegExp':
        return { $: 'regexp', source: encodeText(global, value.source), flags: value.flags };
      case 'Boolean':
      case 'Number':
      case 'String':
      case 'BigInt':
        return { $: 'boxed', is: at(value.valueOf()) };
      case 'Map':
        return map(value);
      case 'Set':
        return set(value);
      case 'Error':
        return error(value);
      case 'DOMException':
        return { $: 'exception', name: value.name, message: encodeText(global, value.message) };
      case 'ArrayBuffer':
        makeRoom(value.byteLength);
        return { $: 'buffer', bytes: textOfBytes(global, value), most: value.resizable ? value.maxByteLength : undefined };
      case 'Blob':
        return blob({ $: 'blob', type: value.type, bytes: '' }, value);
      case 'File':
        return blob({ $: 'file', name: encodeText(global, value.name), type: value.type, modified: value.lastModified, bytes: '' }, value);
      case 'ImageData':
        return image(value);
    }
    if (global.ArrayBuffer.isView(value)) {
      const { byteOffset, byteLength, length } = value;
      return { $: 'view', of: kind, buffer: at(value.buffer), at: byteOffset, length: length ?? byteLength };
    }
    if (/** @type {any} */ (GEOMETRY)[kind]) {
      return { $: 'geometry', of: kind, is: plainCopy(value.toJSON()) };
    }
    throw new Unkeepable(kind);
  }

  /** @param {any} value */
  function list(value) {
    const keys = objectKeys(value);
    const dense = keys.length === value.length && (keys.length === 0 || keys[keys.length - 1] === '' + (value.length - 1));
    if (!dense) {
      return { $: 'array', length: value.length, entries: entries(value, keys) };
    }
    /** @type {any[]} */
    const values = [];
    for (let i = 0; i < value.length; i += 1) {
      append(values, at(value[i]));
    }
    return values;
  }

  /** @param {any} value */
  function plain(value) {
    const keys = objectKeys(value);
    /** @type {any} */
    const encoded = { __proto__: null };
    for (let i = 0; i < keys.length; i += 1) {
      if (keys[i] === '$' || !isWellFormed(keys[i])) {
        return { $: 'object', entries: entries(value, keys) };
      }
    }
    for (let i = 0; i < keys.length; i += 1) {
      encoded[keys[i]] = at(value[keys[i]]);
    }
    return encoded;
  }

  /**
   * @param {any} value
   * @param {string[]} keys
   */
  function entries(value, keys) {
    /** @type {any[]} */
    const pairs = [];
    for (let i = 0; i < keys.length; i += 1) {
      append(pairs, [encodeText(global, keys[i]), at(value[keys[i]])]);
    }
    return pairs;
  }

  /** @param {Map<any, any>} value */
  function map(value) {
    /** @type {any[]} */
    const pairs = [];
    value.forEach((/** @type {any} */ item, /** @type {any} */ key) => append(pairs, [at(key), at(item)]));
    return { $: 'map', entries: pairs };
  }

  /** @param {Set<any>} value */
  function set(value) {
    /** @type {any[]} */
    const values = [];
    value.forEach((/** @type {any} */ item) => append(values, at(item)));
    return { $: 'set', values };
  }

  /**
   * @param {any} value
   * @returns {any}
   */
  function error(value) {
    const own = (/** @type {string} */ name) => global.Object.hasOwn(value, name) && typeof value[name] === 'string';
    return {
      $: 'error',
      name: value.name,
      message: own('message') ? encodeText(global, value.message) : undefined,
      stack: typeof value.stack === 'string' ? encodeText(global, value.stack) : undefined,
      cause: global.Object.hasOwn(value, 'cause') ? at(value.cause) : undefined,
    };
  }

  /**
   * @param {any} into
   * @param {Blob} blob
   */
  function blob(into, blob) {
    makeRoom(blob.size);
    append(blobs, { into, blob });
    return into;
  }

  /** @param {any} value */
  function image(value) {
    if (objectTag(value.data) !== '[object Uint8ClampedArray]') {
      throw new Unkeepable('ImageData of floating-point numbers');
    }
    makeRoom(value.data.byteLength);
    const bytes = textOfBytes(global, new global.Uint8Array(value.data).buffer);
    return { $: 'image', width: value.width, height: value.height, space: value.colorSpace, bytes };
  }

  const encoded = at(value);
  for (let i = 0; i < blobs.length; i += 1) {
    blobs[i].into.bytes = textOfBytes(global, await new global.Response(blobs[i].blob).arrayBuffer());
  }
  return encoded;
}

/**
 * Text that is no whole Unicode, half a pair of surrogates, would be no JSON to others.
 * @param {any} global
 * @param {string} text
 */
export function encodeText(global, text) {
  if (isWellFormed(text)) {
    return text;
  }
  const units = new global.Uint16Array(text.length);
  for (let i = 0; i < text.length; i += 1) {
    units[i] = charCode(text, i);
  }
  return { $: 'text', units: textOfBytes(global, units.buffer) };
}

/** @param {string} text */
function isWellFormed(text) {
  for (let i = 0; i < text.length; i += 1) {
    const unit = charCode(text, i);
    if (unit < 0xd800 || unit > 0xdfff) {
      continue;
    }
    const next = unit < 0xdc00 ? charCode(text, i + 1) : 0;
    if (!(next >= 0xdc00 && next <= 0xdfff)) {
      return false;
    }
    i += 1;
  }
  return true;
}

/** @param {number} value */
function encodeNumber(value) {
  if (value - value === 0 && !(value === 0 && 1 / value < 0)) {
    return value;
  }
  return { $: 'number', is: value === 0 ? '-0' : '' + value };
}

/**
 * Numbers, and objects of numbers, of what says itself how it is made again.
 * @param {any} value
 * @returns {any}
 */
function plainCopy(value) {
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'number' ? encodeNumber(value) : value;
  }
  const keys = objectKeys(value);
  /** @type {any} */
  const copy = { __proto__: null };
  for (let i = 0; i < keys.length; i += 1) {
    copy[keys[i]] = plainCopy(value[keys[i]]);
  }
  return copy;
}

/** For what is put together of parts that are text: a name in a sentence.
 * @param {any} name
 */
export function shown(name) {
  let out = '';
  for (let i = 0; i < name.length && i < 80; i += 1) {
    const unit = charCode(name, i);
    out += unit >= 0xd800 && unit <= 0xdfff ? '?' : fromCharCode(unit);
  }
  return out;
}
