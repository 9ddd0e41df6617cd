/** Random numbers: `Math.random`, `crypto.getRandomValues`, `crypto.randomUUID`. */
import { apply, base64, charCode, construct, floor, fromBase64, fromCharCode, numberText, slice } from '../natives.js';
import { continueSequence } from '../sequence.js';

/** Longer requests are answered by the browser without a log entry. */
const BYTES_LOGGED = 4096;

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../record/engine.js').Engine} engine
 * @param {import('../patch.js').Patcher} patch
 */
export function installNumbers(realm, engine, patch) {
  const { global, random } = realm;
  patch.method(global.Math, 'random', () => ({
    random() {
      return engine.value('random', random);
    },
  }).random);

  const { crypto, Uint8Array } = global;
  if (!crypto) {
    return;
  }
  patch.method(crypto, 'getRandomValues', (original) => ({
    getRandomValues(/** @type {any} */ array) {
      const filled = apply(original, this, [array]);
      if (filled.byteLength > BYTES_LOGGED) {
        engine.notice('bytes', 'crypto.getRandomValues');
        return filled;
      }
      const bytes = construct(Uint8Array, [filled.buffer, filled.byteOffset, filled.byteLength]);
      const logged = engine.value('bytes', () => bytesToBase64(bytes), (event, call) => bytesToBase64(inventBytes(bytes, event, call)));
      base64ToBytes(logged, bytes);
      return filled;
    },
  }).getRandomValues);
  patch.method(crypto, 'randomUUID', (original) => ({
    randomUUID() {
      return engine.value('bytes', () => apply(original, this, []), (event, call) => inventUuid(construct(Uint8Array, [16]), event, call));
    },
  }).randomUUID);
}

/** @param {Uint8Array} bytes */
function bytesToBase64(bytes) {
  let binary = '';
  for (let i = 0; i < bytes.length; i += 1) {
    binary += fromCharCode(bytes[i]);
  }
  return base64(binary);
}

/**
 * @param {string} logged
 * @param {Uint8Array} into
 */
function base64ToBytes(logged, into) {
  const binary = fromBase64(logged);
  for (let i = 0; i < into.length && i < binary.length; i += 1) {
    into[i] = charCode(binary, i);
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {number} event
 * @param {number} call
 */
function inventBytes(bytes, event, call) {
  for (let i = 0; i < bytes.length; i += 1) {
    bytes[i] = floor(continueSequence(event, call * BYTES_LOGGED + i) * 256);
  }
  return bytes;
}

/**
 * @param {Uint8Array} bytes 16 of them
 * @param {number} event
 * @param {number} call
 */
function inventUuid(bytes, event, call) {
  inventBytes(bytes, event, call);
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  let uuid = '';
  for (let i = 0; i < 16; i += 1) {
    uuid += (i === 4 || i === 6 || i === 8 || i === 10 ? '-' : '') + slice('0' + numberText(bytes[i], 16), -2);
  }
  return uuid;
}
