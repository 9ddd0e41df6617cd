/** Random numbers: `Math.random`, `crypto.getRandomValues`, `crypto.randomUUID`. */
import { apply, base64, charCode, construct, fromBase64, fromCharCode } from '../natives.js';

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
        engine.notice('unsupported', 'crypto.getRandomValues was asked for more bytes than are logged: a replay gets others.');
        return filled;
      }
      const bytes = construct(Uint8Array, [filled.buffer, filled.byteOffset, filled.byteLength]);
      const logged = engine.value('bytes', () => bytesToBase64(bytes));
      base64ToBytes(logged, bytes);
      return filled;
    },
  }).getRandomValues);
  patch.method(crypto, 'randomUUID', (original) => ({
    randomUUID() {
      return engine.value('bytes', () => apply(original, this, []));
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
