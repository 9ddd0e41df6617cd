/**
 * Times that the browser took of itself: of the navigation, of what was loaded, of what was painted. The log does not have them, and
 * here they would be other ones each time: what the page waited for is over when the log says so, and all else takes no time.
 */
import { append, apply, forWords, indexOf, newWeakMap, objectKeys, objectTag, round } from '../natives.js';
import { isLoadOfWindow } from './log.js';

/** What a page has given its time itself. */
const TIMED_BY_PAGE = { __proto__: null, '[object PerformanceMark]': true, '[object PerformanceMeasure]': true };
const NAVIGATION_ENTRY = '[object PerformanceNavigationTiming]';
const RESOURCE_ENTRY = '[object PerformanceResourceTiming]';
const OF_LOADING = 'redirectStart redirectEnd fetchStart domainLookupStart domainLookupEnd connectStart secureConnectionStart connectEnd requestStart responseStart responseEnd';
const OF_DOCUMENT = 'unloadEventStart unloadEventEnd domInteractive domContentLoadedEventStart domContentLoadedEventEnd domComplete loadEventStart loadEventEnd';
const TIMES_OF_ENTRIES = [
  'PerformanceEntry startTime duration',
  'PerformanceResourceTiming workerStart firstInterimResponseStart finalResponseHeadersStart ' + OF_LOADING,
  'PerformanceNavigationTiming activationStart ' + OF_DOCUMENT,
  'PerformanceTiming navigationStart domLoading ' + OF_LOADING + ' ' + OF_DOCUMENT,
];

/** What we have loaded ourselves is of no document's. */
const OURS = '/__xcheck/';
const LISTS_OF_ENTRIES = ['Performance getEntries getEntriesByType getEntriesByName', 'PerformanceObserverEntryList getEntries getEntriesByType getEntriesByName'];

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('./log.js').Log} log
 * @param {import('./engine.js').ReplayEngine} engine
 * @param {import('../patch.js').Patcher} patch
 */
export function installEntries({ global }, log, engine, patch) {
  const seen = newWeakMap();
  const { virtualTime } = engine;

  /** @param {(what: any) => boolean} fits */
  function timeOf(fits) {
    for (let i = 0; i < log.ordered.length; i += 1) {
      if (fits(log.ordered[i].what)) {
        return round((log.ordered[i].at - virtualTime.origin) * 10) / 10;
      }
    }
    return 0;
  }
  /** When what the page waited for was over; looked for when it is asked for first, since a log may be long. @type {any} */
  let known = null;
  function over() {
    if (!known) {
      const interactive = timeOf(({ type, data }) => type === 'readystatechange' && data?.state === 'interactive');
      const parsed = timeOf(({ type }) => type === 'DOMContentLoaded');
      const complete = timeOf(({ type, data }) => type === 'readystatechange' && data?.state === 'complete');
      const loaded = timeOf((what) => what.type === 'load' && isLoadOfWindow(what));
      known = { __proto__: null, domInteractive: interactive, domContentLoadedEventStart: parsed, domContentLoadedEventEnd: parsed, domComplete: complete, loadEventStart: loaded, loadEventEnd: loaded };
    }
    return known;
  }

  /**
   * @param {any} entry
   * @param {string} name
   * @param {number} native
   */
  function answer(entry, name, native) {
    const kind = objectTag(entry);
    if (TIMED_BY_PAGE[/** @type {'[object PerformanceMark]'} */ (kind)] || native === 0) {
      return native;
    }
    if (kind === NAVIGATION_ENTRY || kind === RESOURCE_ENTRY || name === 'duration') {
      return over()[kind === NAVIGATION_ENTRY && name === 'duration' ? 'loadEventEnd' : name] ?? 0;
    }
    if (name !== 'startTime') {
      // The older way of telling of the navigation, since the epoch.
      return virtualTime.origin + (over()[name] ?? 0);
    }
    const at = seen.get(entry) ?? virtualTime.value('now', undefined, 0);
    seen.set(entry, at);
    return at;
  }

  forWords(TIMES_OF_ENTRIES, (owner, name) => {
    patch.accessor(global[owner]?.prototype, name, (get) => ({
      get [name]() {
        const native = apply(get, this, []);
        return engine.isVisited() ? native : answer(this, name, native);
      },
    }));
  });
  forWords(LISTS_OF_ENTRIES, (owner, name) => {
    patch.method(global[owner]?.prototype, name, (original) => ({
      list() {
        const all = apply(original, this, arguments);
        /** @type {any[]} */
        const found = [];
        for (let i = 0; i < all.length; i += 1) {
          if (indexOf(all[i].name, OURS) < 0) {
            append(found, all[i]);
          }
        }
        return found;
      },
    }).list);
  });
  forWords(['PerformanceEntry toJSON', 'PerformanceResourceTiming toJSON', 'PerformanceNavigationTiming toJSON', 'PerformanceTiming toJSON'], (owner) => {
    patch.method(global[owner]?.prototype, 'toJSON', (original) => ({
      toJSON() {
        const json = apply(original, this, []);
        const names = objectKeys(json);
        for (let i = 0; i < names.length; i += 1) {
          json[names[i]] = typeof json[names[i]] === 'number' ? /** @type {any} */ (this)[names[i]] : json[names[i]];
        }
        return json;
      },
    }).toJSON);
  });
}
