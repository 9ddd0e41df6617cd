/**
 * What is under way in a page, and when something happened last: whoever acts next waits until it has come to rest.
 *
 * No single sign will do: a page can be without requests and about to send one, without mutations and in the middle of
 * an answer. So all are watched, each with a bound of its own, because some never end: a request that is kept open for
 * news, a clock.
 */
import { append, newMap } from '../natives.js';

/**
 * @typedef {object} UnderWay
 * @property {string} what for a person
 * @property {number} since
 * @property {number} due milliseconds until it comes by itself; 0 where nobody knows
 * @property {() => boolean} [counts] false when it does not any more
 * @property {boolean} [news] false where it may follow on what came last without a pause
 */

/** @param {import('../natives.js').Realm} realm */
export function createActivity(realm) {
  /** @type {Map<object, UnderWay>} */
  const underWay = newMap();
  let last = realm.now();

  return {
    touch() {
      last = realm.now();
    },
    /** How long nothing has happened. */
    idle: () => realm.now() - last,
    /**
     * @param {object} key
     * @param {string} what
     * @param {{due?: number, counts?: () => boolean, news?: boolean}} [more]
     */
    begin(key, what, { due = 0, counts, news } = {}) {
      underWay.set(key, { what, since: realm.now(), due, counts, news });
    },
    /** @param {object} key */
    end(key) {
      const entry = underWay.get(key);
      if (underWay.delete(key) && entry?.news !== false && entry?.counts?.() !== false) {
        last = realm.now();
      }
    },
    /**
     * What is under way, and what has been for so long that it seems to stay.
     * @param {{timers_ms: number, open_ms: number}} bounds
     */
    list({ timers_ms, open_ms }) {
      /** @type {string[]} */
      const busy = [];
      /** @type {string[]} */
      const stays = [];
      underWay.forEach((entry) => {
        if (entry.due > timers_ms || (entry.counts && !entry.counts())) {
          return;
        }
        const age = realm.now() - entry.since;
        append(entry.due === 0 && age > open_ms ? stays : busy, entry.what);
      });
      return { busy, stays };
    },
  };
}

/** @typedef {ReturnType<typeof createActivity>} Activity */
