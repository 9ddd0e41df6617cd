/**
 * When a module that was let go is there. One that code asked for says itself when it has run (`module_has_run`); of others
 * nothing tells, but they run in the tasks after their response is complete, if what they import is there already.
 */
import { defineProperty, uncurry } from '../natives.js';

/** A response that does not come although it was let go is not the page's to wait for. */
const ARRIVAL_MS = 1_000;

/** Nor is a module that does not come to its end: what it waits for, or an exception, may be in the log's future. */
const RUN_MS = 1_000;

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
  /** By their exchanges. @type {any} */
  const hasRun = { __proto__: null };
  defineProperty(realm.global, '__xcheck_has_run__', {
    value(/** @type {number} */ exchange) {
      hasRun[exchange] = true;
      waiting.changed();
    },
  });

  return {
    /**
     * @param {string} url
     * @param {number[]} ran the exchanges of modules that now have all that they waited for
     */
    async arrived(url, ran) {
      awaited[url] = (awaited[url] ?? 0) + 1;
      await waiting.until(() => (complete[url] ?? 0) >= awaited[url], ARRIVAL_MS);
      for (let i = 0; i < ran.length; i += 1) {
        await waiting.until(() => hasRun[ran[i]], RUN_MS);
      }
      for (let i = 0; i < TURNS; i += 1) {
        await waiting.turn(() => {});
      }
    },
  };
}
