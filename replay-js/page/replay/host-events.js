/**
 * Events of the browser's own objects that cannot be kept until the log says so.
 */

/** Held back, these would lose their meaning: a transaction commits when nobody uses it. Let through, and awaited at their place. */
const UNHELD = { __proto__: null, IDBRequest: true, IDBOpenDBRequest: true, IDBTransaction: true, IDBDatabase: true };

/** But when these come nothing is left that would end while they wait. */
const OVER = { __proto__: null, 'IDBOpenDBRequest success': true, 'IDBTransaction complete': true };

/** Where its window goes, the page may decide only while it is told. */
export const NAVIGATION = 'Navigation';

/** The first is asked whether it takes the navigation over, and goes on as soon as the second one has been told. */
const TOLD_AT_ONCE = { __proto__: null, navigate: true, currententrychange: true };

/** What can wait all the same (`transactions.js`). */
const ANSWER = 'IDBRequest success';

/**
 * @param {import('./log.js').Log} log
 * @param {import('./findings.js').Findings} findings
 * @param {import('./strays.js').Strays} strays
 * @param {(of: number[]) => import('./engine.js').Entry | null | undefined} partner what stands for an object of the log, null before it is its turn
 */
export function createHostEvents(log, findings, strays, partner) {
  /** Whose turn it is. @type {import('./log.js').Logged | null} */
  let awaited = null;

  /**
   * What the log has of something that is asked for in another event there. A database that is opened later has all of it elsewhere.
   * @param {import('./engine.js').Entry} entry
   * @param {string} type
   */
  function asOfStray(entry, type) {
    const logged = log.next(({ what }) => isOfHost(what, type) && log.registered('host', what.of) === entry.identity && partner(what.of) === undefined);
    if (logged && strays.claim('host', logged.what.of, entry)) {
      findings.diverged(logged.id, 'wrong-callback', 'host ' + entry.identity, 'host registered in another event than ' + logged.what.of[0]);
    }
    return logged;
  }

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
      const isAsked = entry.identity === NAVIGATION && TOLD_AT_ONCE[/** @type {'navigate'} */ (type)] === true;
      const own = isUnheld || isAsked ? log.next(({ what }) => isOfHost(what, type) && partner(what.of) === entry) : undefined;
      const logged = own ?? (isUnheld ? asOfStray(entry, type) : undefined);
      const mayWait = logged !== undefined && logged !== awaited && entry.identity + ' ' + type === ANSWER;
      return { isLetThrough: isUnheld || logged !== undefined, logged, mayWait };
    },
  };
}

/**
 * @param {any} what
 * @param {string} type
 */
function isOfHost(what, type) {
  return what.kind === 'host' && what.event === type;
}
