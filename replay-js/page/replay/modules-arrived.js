/**
 * When a module that was let go is there. One that code asked for says itself when it has run (`module_has_run`); of others
 * nothing tells, but they run in the tasks after their response is complete, if what they import is there already.
 */
import { defineProperty, join } from '../natives.js';

/** A module that does not come to its end is not the page's to wait for: what it waits for, or an exception, may be in the log's future. */
const RUN_MS = 1_000;

/** Linking, running, and settling the promise of an `import()` each take one in some engine. */
const TURNS = 16;

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./waiting.js').Waiting} waiting
 * @param {import('./resources.js').Resources} resources
 * @param {(exchange: number) => void} ran told of each
 */
export function createModuleArrivals(realm, waiting, resources, ran) {
  /** How many responses of an address were waited for. @type {any} */
  const awaited = { __proto__: null };
  /** By their exchanges. @type {any} */
  const hasRun = { __proto__: null };
  defineProperty(realm.global, '__xcheck_has_run__', {
    value(/** @type {number} */ exchange) {
      hasRun[exchange] = true;
      ran(exchange);
      waiting.changed();
    },
  });

  async function quiet() {
    for (let i = 0; i < TURNS; i += 1) {
      await waiting.turn(() => {});
    }
  }

  return {
    /** @param {string[]} urls of modules, of which those that are not asked for here do not come */
    async haveCome(urls) {
      const areThere = () => {
        for (let i = 0; i < urls.length; i += 1) {
          if (resources.count(urls[i]) === 0) {
            return false;
          }
        }
        return true;
      };
      if (!areThere()) {
        await waiting.expect(areThere, RUN_MS, 'a module that ran before the next, of ' + join(urls, ' '));
        await quiet();
      }
    },
    /**
     * @param {string} url
     * @param {number[]} complete the exchanges of modules that now have all that they waited for
     */
    async arrived(url, complete) {
      awaited[url] = (awaited[url] ?? 0) + 1;
      await resources.until(url, awaited[url]);
      for (let i = 0; i < complete.length; i += 1) {
        await waiting.expect(() => hasRun[complete[i]], RUN_MS, 'the end of a module that has ' + url);
      }
      await quiet();
    },
  };
}
