/** The values that `encode.js` has written, as they were. */
import { append, defineProperty, fromCharCode, isArray, objectKeys } from '../natives.js';
import { bytesOfText } from './base64.js';
import { GEOMETRY } from './encode.js';

/** Those that a value may name; anything else in their place is no value. */
const VIEWS = ['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array', 'Float16Array', 'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array', 'DataView'];
const ERRORS = ['Error', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'];

/**
 * @param {any} global
 * @param {any} encoded
 * @param {() => void} [meetsBlob]
 */
export function decodeValue(global, encoded, meetsBlob = () => {}) {
  /** @type {any[]} */
  const objects = [];

  /**
   * @param {any} encoded
   * @returns {any}
   */
  function at(encoded) {
    if (typeof encoded !== 'object' || encoded === null) {
      return encoded;
    }
    if (isArray(encoded)) {
      return filled([], encoded.length, (array, i) => put(array, '' + i, at(encoded[i])));
    }
    switch (encoded.$) {
      case undefined:
        return plain(encoded);
      case 'undefined':
        return undefined;
      case 'number':
        return decodeNumber(encoded);
      case 'bigint':
        return global.BigInt(encoded.is);
      case 'text':
        return decodeText(global, encoded);
      case 'same':
        return objects[encoded.as];
      default:
        return composite(encoded);
    }
  }

  /**
   * @param {any} encoded
   * @returns {any}
   */
  function composite(encoded) {
    switch (encoded.$) {
      case 'object':
        return filled({}, encoded.entries.length, (object, i) => entry(object, encoded.entries[i]));
      case 'array': {
        const array = filled([], encoded.entries.length, (array, i) => entry(array, encoded.entries[i]));
        array.length = encoded.length;
        return array;
      }
      case 'map':
        return filled(new global.Map(), encoded.entries.length, (map, i) => map.set(at(encoded.entries[i][0]), at(encoded.entries[i][1])));
      case 'set':
        return filled(new global.Set(), encoded.values.length, (set, i) => set.add(at(encoded.values[i])));
      case 'error':
        return error(encoded);
      case 'view':
        return view(encoded);
      default:
        return noted(leaf(encoded));
    }
  }

  /**
   * @param {any} encoded what no other object is in
   * @returns {any}
   */
  function leaf(encoded) {
    switch (encoded.$) {
      case 'date':
        return new global.Date(decodeNumber(encoded.is));
      case 'regexp':
        return new global.RegExp(decodeText(global, encoded.source), encoded.flags);
      case 'boxed':
        return global.Object(at(encoded.is));
      case 'exception':
        return new global.DOMException(decodeText(global, encoded.message), encoded.name);
      case 'buffer':
        return buffer(bytesOfText(global, encoded.bytes), encoded.most);
      case 'blob':
        meetsBlob();
        return new global.Blob([bytesOfText(global, encoded.bytes)], { type: encoded.type });
      case 'file':
        meetsBlob();
        return new global.File([bytesOfText(global, encoded.bytes)], decodeText(global, encoded.name), { type: encoded.type, lastModified: encoded.modified });
      case 'image':
        return new global.ImageData(new global.Uint8ClampedArray(bytesOfText(global, encoded.bytes)), encoded.width, encoded.height, encoded.space && { colorSpace: encoded.space });
      case 'geometry':
        return global[known(objectKeys(GEOMETRY), encoded.of)][/** @type {any} */ (GEOMETRY)[encoded.of]](numbers(encoded.is));
      default:
        throw new TypeError('no kind of value: ' + encoded.$);
    }
  }

  /**
   * @param {ArrayBuffer} bytes
   * @param {number | undefined} most
   */
  function buffer(bytes, most) {
    if (most === undefined) {
      return bytes;
    }
    const resizable = new global.ArrayBuffer(bytes.byteLength, { maxByteLength: most });
    new global.Uint8Array(resizable).set(new global.Uint8Array(bytes));
    return resizable;
  }

  /** @param {any} encoded */
  function view({ of, buffer, at: offset, length }) {
    const place = objects.length;
    append(objects, undefined);
    objects[place] = new global[known(VIEWS, of)](at(buffer), offset, length);
    return objects[place];
  }

  /** @param {any} encoded */
  function error({ name, message, stack, cause }) {
    const made = noted(new global[known(ERRORS, name)]());
    put(made, 'message', message, false);
    put(made, 'stack', stack, false);
    if (cause !== undefined) {
      defineProperty(made, 'cause', { value: at(cause), writable: true, enumerable: false, configurable: true });
    }
    return made;
  }

  /** @param {any} encoded */
  function plain(encoded) {
    const keys = objectKeys(encoded);
    return filled({}, keys.length, (object, i) => put(object, keys[i], at(encoded[keys[i]])));
  }

  /**
   * @param {any} object counts before what is in it
   * @param {number} length
   * @param {(object: any, index: number) => void} fill
   */
  function filled(object, length, fill) {
    noted(object);
    for (let i = 0; i < length; i += 1) {
      fill(object, i);
    }
    return object;
  }

  /** @param {any} object @param {any[]} pair */
  function entry(object, [name, value]) {
    put(object, decodeText(global, name), at(value));
  }

  /** @param {any} object */
  function noted(object) {
    append(objects, object);
    return object;
  }

  /**
   * @param {any} object
   * @param {string} name `__proto__` is one like any other
   * @param {any} value
   * @param {boolean} [isOwn] of the value itself, not text of an error
   */
  function put(object, name, value, isOwn = true) {
    if (isOwn || value !== undefined) {
      defineProperty(object, name, { value: isOwn ? value : decodeText(global, value), writable: true, enumerable: isOwn, configurable: true });
    }
  }

  return at(encoded);
}

/**
 * @param {any} global
 * @param {any} encoded
 * @returns {string}
 */
export function decodeText(global, encoded) {
  if (typeof encoded === 'string') {
    return encoded;
  }
  const units = new global.Uint16Array(bytesOfText(global, encoded.units));
  let text = '';
  for (let i = 0; i < units.length; i += 1) {
    text += fromCharCode(units[i]);
  }
  return text;
}

/** @param {any} encoded */
function decodeNumber(encoded) {
  return typeof encoded === 'number' ? encoded : +encoded.is;
}

/** @param {any} encoded */
function numbers(encoded) {
  const keys = objectKeys(encoded);
  /** @type {any} */
  const made = { __proto__: null };
  for (let i = 0; i < keys.length; i += 1) {
    const value = encoded[keys[i]];
    made[keys[i]] = typeof value === 'object' && value.$ === undefined ? numbers(value) : typeof value === 'object' ? decodeNumber(value) : value;
  }
  return made;
}

/**
 * @param {string[]} names
 * @param {string} name
 */
function known(names, name) {
  for (let i = 0; i < names.length; i += 1) {
    if (names[i] === name) {
      return name;
    }
  }
  throw new TypeError('no kind of value: ' + name);
}
