/** Fills a cache again, as `caches.js` has read it. */
import { bytesOfText } from './base64.js';
import { decodeText } from './decode.js';
import { inQuotes, reasonOf } from './teller.js';

/**
 * @param {any} global
 * @param {any} cache its line
 * @param {any[]} entries of it, in their order
 * @param {(note: string) => void} note
 */
export async function restoreCache(global, cache, entries, note) {
  const name = decodeText(global, cache.name);
  try {
    await global.caches.delete(name);
    const made = await global.caches.open(name);
    for (let i = 0; i < entries.length; i += 1) {
      const { url, headers, response } = entries[i];
      try {
        const body = response.body === null || isBodiless(response.status) ? null : bytesOfText(global, response.body);
        const answer = new global.Response(body, { status: response.status, statusText: response.text, headers: response.headers });
        await made.put(new global.Request(url, { headers }), answer);
      } catch (error) {
        note('the answer to ' + url + ' in the cache ' + inQuotes(name) + ': ' + reasonOf(error));
      }
    }
  } catch (error) {
    note('the cache ' + inQuotes(name) + ': ' + reasonOf(error));
  }
}

/**
 * Not all engines say of an answer without a body that it has none, and none makes one with an empty body again.
 * @param {number} status
 */
function isBodiless(status) {
  return status === 204 || status === 205 || status === 304;
}
