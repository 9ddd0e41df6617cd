/** Reads what stands in Cache: caches in their order, and what each has an answer to. */
import { append } from '../natives.js';
import { textOfBytes } from './base64.js';
import { encodeText } from './encode.js';
import { inQuotes, reasonOf, TOO_MUCH, TooMuch } from './teller.js';

/**
 * @param {any} global
 * @param {ReturnType<import('./teller.js').createTeller>} teller
 */
export async function keepCaches(global, teller) {
  // Pages that came by plain HTTP have none.
  const names = (await global.caches?.keys()) ?? [];
  for (let i = 0; i < names.length; i += 1) {
    try {
      await keepCache(global, teller, names[i]);
    } catch (error) {
      if (!(error instanceof TooMuch)) {
        teller.miss('The cache ' + inQuotes(names[i]), reasonOf(error));
        continue;
      }
      for (let next = i + 1; next < names.length; next += 1) {
        teller.miss('The cache ' + inQuotes(names[next]), TOO_MUCH);
      }
      throw error;
    }
  }
}

/**
 * @param {any} global
 * @param {ReturnType<import('./teller.js').createTeller>} teller
 * @param {string} name
 */
async function keepCache(global, teller, name) {
  const cache = await global.caches.open(name);
  const requests = await cache.keys();
  await teller.tell({ cache: { name: encodeText(global, name) } });
  for (let i = 0; i < requests.length; i += 1) {
    const request = requests[i];
    const what = 'The answer to ' + request.url + ' in the cache ' + inQuotes(name);
    try {
      const response = (await cache.match(request)) ?? (await cache.match(request, { ignoreVary: true }));
      if (response.type === 'opaque' || response.type === 'opaqueredirect' || response.status === 0) {
        teller.miss(what, 'no page may read it: it is of another origin that does not allow it', request.url);
        continue;
      }
      const body = response.body === null ? null : await response.arrayBuffer();
      teller.makeRoom(body?.byteLength ?? 0);
      await teller.tell({
        entry: {
          url: request.url,
          headers: headersOf(request),
          response: {
            url: response.url,
            status: response.status,
            text: response.statusText,
            headers: headersOf(response),
            body: body && textOfBytes(global, body),
          },
        },
      });
    } catch (error) {
      if (error instanceof TooMuch) {
        teller.miss(what + ', and what follows it,', TOO_MUCH, request.url);
        throw error;
      }
      teller.miss(what, reasonOf(error), request.url);
    }
  }
}

/** @param {Request | Response} message */
function headersOf(message) {
  /** @type {[string, string][]} */
  const headers = [];
  message.headers.forEach((value, name) => append(headers, [name, value]));
  return headers;
}
