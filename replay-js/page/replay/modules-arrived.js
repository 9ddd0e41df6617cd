/**
 * When a module that was let go is there. Nothing tells that it has run; but it does so in the tasks after its response is
 * complete, if what it imports is there already.
 */
import { uncurry } from '../natives.js';

/** A response that does not come although it was let go is not the page's to wait for. */
const ARRIVAL_MS = 1_000;

/** Linking, running, and settling the promise of an `import()` each take one in some engine. */
const TURNS = 4;

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./waiting.js').Waiting} waiting
 */
export function createModuleArrivals(realm, waiting) {
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
  /** How many of them were waited for. @type {any} */
  const awaited = { __proto__: null };

  return {
    /** @param {string} url */
    async arrived(url) {
      awaited[url] = (awaited[url] ?? 0) + 1;
      await waiting.until(() => (complete[url] ?? 0) >= awaited[url], ARRIVAL_MS);
      for (let i = 0; i < TURNS; i += 1) {
        await waiting.turn(() => {});
      }
    },
  };
}
