/** What a request is known by: method, absolute URL, and a hash of its body. */
import { apply, construct, objectTag, slice, text } from '../natives.js';
import { hashText } from '../hash.js';

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
