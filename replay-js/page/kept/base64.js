/** Bytes as text. Browsers have a way of their own only since lately. */
import { apply, base64, charCode, fromBase64, fromCharCode } from '../natives.js';

/** So many at a time as arguments; a multiple of three, so that pieces can be put together. */
const BYTES_AT_ONCE = 24_576;

/**
 * @param {any} global
 * @param {ArrayBuffer} buffer
 */
export function textOfBytes(global, buffer) {
  let text = '';
  for (let at = 0; at < buffer.byteLength; at += BYTES_AT_ONCE) {
    const piece = new global.Uint8Array(buffer, at, at + BYTES_AT_ONCE > buffer.byteLength ? buffer.byteLength - at : BYTES_AT_ONCE);
    text += base64(apply(fromCharCode, undefined, piece));
  }
  return text;
}

/**
 * @param {any} global
 * @param {string} text
 * @returns {ArrayBuffer}
 */
export function bytesOfText(global, text) {
  const binary = fromBase64(text);
  const bytes = new global.Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i += 1) {
    bytes[i] = charCode(binary, i);
  }
  return bytes.buffer;
}
