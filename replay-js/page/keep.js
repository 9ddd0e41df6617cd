/**
 * Keeps what stood in IndexedDB and Cache before the session. It runs before the recorder in the first document of an origin,
 * and the proxy holds the recorder back until it has told all: the parser waits for that script, so that none of the page's
 * can have changed anything meanwhile.
 */
import { parseJson } from './natives.js';
import { keepCaches } from './kept/caches.js';
import { keepDatabases } from './kept/databases.js';
import { createTeller, reasonOf, TooMuch } from './kept/teller.js';

/**
 * @param {any} global
 * @param {string} configText
 */
export function startKeeper(global, configText) {
  const config = parseJson(configText);
  global.document.currentScript?.remove();
  const teller = createTeller(global, config.endpoint, config.limit);
  // The proxy notices that nobody speaks any more.
  keepAll(global, teller).catch(() => {});
}

/**
 * @param {any} global
 * @param {ReturnType<typeof createTeller>} teller
 */
async function keepAll(global, teller) {
  try {
    await keepDatabases(global, teller);
  } catch (error) {
    if (isDenied(error) || !global.indexedDB) {
      // A sandboxed document, or a frame without storage: another one of the origin may have it.
      await teller.end(false);
      return;
    }
    if (!(error instanceof TooMuch)) {
      teller.miss('IndexedDB', reasonOf(error));
    }
  }
  try {
    await keepCaches(global, teller);
  } catch (error) {
    // What is denied to us is denied to the page.
    if (!isDenied(error) && !(error instanceof TooMuch)) {
      teller.miss('Cache', reasonOf(error));
    }
  }
  await teller.end(true);
}

/** @param {any} error */
function isDenied(error) {
  return error?.name === 'SecurityError';
}
