/** What the document has loaded, as the browser tells it when a response is complete. */
import { uncurry } from '../natives.js';

/** A response that does not come although it was let go is not the page's to wait for. */
const ARRIVAL_MS = 1_000;

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./waiting.js').Waiting} waiting
 */
export function createResources(realm, waiting) {
  const { PerformanceObserver, PerformanceObserverEntryList } = realm.global;
  const entriesOf = uncurry(PerformanceObserverEntryList.prototype.getEntries);
  /** How many responses of an address are complete. @type {any} */
  const complete = { __proto__: null };
  const observer = new PerformanceObserver((/** @type {any} */ list) => {
    const entries = entriesOf(list);
    for (let i = 0; i < entries.length; i += 1) {
      complete[entries[i].name] = (complete[entries[i].name] ?? 0) + 1;
    }
    waiting.changed();
  });
  observer.observe({ __proto__: null, type: 'resource', buffered: true });
  const count = (/** @type {string} */ url) => complete[url] ?? 0;

  return {
    count,
    /**
     * @param {string} url
     * @param {number} times
     */
    until: (url, times) => waiting.until(() => count(url) >= times, ARRIVAL_MS),
  };
}

/** @typedef {ReturnType<typeof createResources>} Resources */
