/** What a request is known by: method, absolute URL, and a hash of its body. */
import { apply, construct, fround, objectKeys, objectTag, slice, text } from '../natives.js';
import { hashText } from '../hash.js';

/** Messages can be of any depth, and lead back to themselves. */
const DEEPEST = 5;

/**
 * @param {import('../natives.js').Realm} realm
 * @param {string} method
 * @param {any} url
 * @param {any} body
 */
export function requestIdentity(realm, method, url, body) {
  return { method, url: absolute(realm, url), body: body === undefined || body === null ? undefined : bodyHash(realm, body) };
}

/**
 * @param {import('../natives.js').Realm} realm
 * @param {any} url
 */
function absolute(realm, url) {
  try {
    return construct(realm.URL, [url, realm.baseUri(realm.document)]).href;
  } catch {
    // Not a URL: the request fails in every browser, and is known by what was given.
    return '' + url;
  }
}

/**
 * @param {import('../natives.js').Realm} realm
 * @param {any} body
 */
function bodyHash(realm, body) {
  if (typeof body === 'string') {
    return hashText(body);
  }
  const kind = slice(objectTag(body), 8, -1);
  switch (kind) {
    case 'URLSearchParams':
      return hashText(text(body));
    case 'FormData':
      return hashText(formText(realm, body));
    case 'Blob':
    case 'File':
      return kind + ':' + body.size;
    case 'ReadableStream':
      return kind;
    case 'HTMLDocument':
    case 'Document':
    case 'XMLDocument':
      return 'Document';
    default:
      return body.byteLength === undefined ? hashText(text(body)) : kind + ':' + body.byteLength;
  }
}

/**
 * @param {any} message
 * @returns {string}
 */
export function messageHash(message) {
  return hashText(outline(message, DEEPEST));
}

/**
 * Engines agree on the last digits of what `Math.cos` and its like come to no more than they have to.
 * @param {any} value
 * @param {number} depth
 * @returns {string} what its plain members say
 */
function outline(value, depth) {
  if (typeof value !== 'object' || value === null) {
    return text(typeof value === 'number' && value % 1 ? fround(value) : value);
  }
  const size = value.byteLength ?? value.size;
  const keys = depth > 0 && size === undefined ? objectKeys(value) : [];
  let all = objectTag(value) + value.message + size;
  for (let i = 0; i < keys.length; i += 1) {
    all += keys[i] + ':' + outline(value[keys[i]], depth - 1);
  }
  return all;
}

/**
 * @param {import('../natives.js').Realm} realm
 * @param {any} form
 */
function formText(realm, form) {
  let all = '';
  apply(realm.global.FormData.prototype.forEach, form, [
    (/** @type {any} */ value, /** @type {string} */ name) => {
      all += name + '=' + (typeof value === 'string' ? value : value.name + ':' + value.size) + '&';
    },
  ]);
  return all;
}
