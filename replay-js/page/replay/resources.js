/**
 * What the document has loaded, as the browser tells it when a response is complete. Frames without a network ask in the
 * document's name, and it is their windows that are told. These are asked: `document.open()` takes observers away in WebKit.
 */
import { append, getterOf, uncurry } from '../natives.js';

/** A response that does not come although it was let go is not the page's to wait for. */
const ARRIVAL_MS = 1_000;

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./waiting.js').Waiting} waiting
 */
export function createResources(realm, waiting) {
  const { Performance, PerformanceObserver, PerformanceObserverEntryList } = realm.global;
  const entriesOf = uncurry(PerformanceObserverEntryList.prototype.getEntries);
  const entriesNamed = uncurry(Performance.prototype.getEntriesByName);
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
  /** The `performance` of each window without a network. @type {(() => any)[]} */
  const inside = [];

  /** @param {string} url */
  function count(url) {
    let all = complete[url] ?? 0;
    for (let i = 0; i < inside.length; i += 1) {
      // One whose frame was taken away has none.
      const performance = inside[i]();
      all += performance ? entriesNamed(performance, url, 'resource').length : 0;
    }
    return all;
  }

  return {
    count,
    /** @param {import('../natives.js').Realm} child */
    lookInto({ global }) {
      const performanceOf = getterOf(global, 'performance');
      append(inside, () => performanceOf(global));
    },
    /**
     * @param {string} url
     * @param {number} times
     */
    until: (url, times) => waiting.expect(() => count(url) >= times, ARRIVAL_MS, url),
  };
}

/** @typedef {ReturnType<typeof createResources>} Resources */
