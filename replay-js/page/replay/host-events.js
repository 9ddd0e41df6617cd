/**
 * Events of the browser's own objects that cannot be kept until the log says so.
 */

/** Held back, these would lose their meaning: a transaction commits when nobody uses it. Let through, and awaited at their place. */
const UNHELD = { __proto__: null, IDBRequest: true, IDBOpenDBRequest: true, IDBTransaction: true, IDBDatabase: true };

/** But when these come nothing is left that would end while they wait. */
const OVER = { __proto__: null, 'IDBOpenDBRequest success': true, 'IDBTransaction complete': true };

/** Where its window goes, the page may decide only while it is told. */
const NAVIGATION = 'Navigation';

/** What can wait all the same (`transactions.js`). */
const ANSWER = 'IDBRequest success';

/** @param {import('./log.js').Log} log */
export function createHostEvents(log) {
  /** Whose turn it is. @type {import('./log.js').Logged | null} */
  let awaited = null;

  return {
    /** @param {import('./log.js').Logged | null} logged */
    awaits(logged) {
      awaited = logged;
    },

    /**
     * Whether the page is told at once, and as which event of the log.
     * @param {import('./engine.js').Entry} entry
     * @param {string} type
     */
    came(entry, type) {
      const isUnheld = entry.list === 'host' && UNHELD[/** @type {'IDBRequest'} */ (entry.identity)] && !OVER[/** @type {'IDBTransaction complete'} */ (entry.identity + ' ' + type)];
      const isAsked = entry.identity === NAVIGATION && type === 'navigate';
      const logged = isUnheld || isAsked ? log.next((candidate) => isOfEntry(candidate, entry, type)) : undefined;
      const mayWait = logged !== undefined && logged !== awaited && entry.identity + ' ' + type === ANSWER;
      return { isLetThrough: isUnheld || logged !== undefined, logged, mayWait };
    },
  };
}

/**
 * @param {import('./log.js').Logged} logged
 * @param {import('./engine.js').Entry} entry
 * @param {string} type
 */
function isOfEntry({ what }, entry, type) {
  return what.kind === 'host' && what.event === type && what.of[0] === entry.event.id && what.of[1] === entry.index;
}
