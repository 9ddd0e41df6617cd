/**
 * Scripts run where the browser's parser meets them, and cannot be stopped there. So everything else waits until the
 * parser is through; a script that arrives whenever it likes is not asked for before its turn.
 */

const PARSE_DEADLINE_MS = 10_000;

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('./log.js').Log} log
 * @param {import('./waiting.js').Waiting} waiting
 */
export function createParsing(realm, log, waiting) {
  let parsed = false;
  return {
    /** The browser's own DOMContentLoaded came: parser, deferred and module scripts have run. */
    finished() {
      parsed = true;
      waiting.changed();
    },
    /**
     * Whether a script that has not run yet can run no more.
     * @param {any} what
     */
    cannotCome(what) {
      return parsed && what.order !== 'arrival';
    },
    /** @param {import('./log.js').Logged} _logged */
    async beforeOther(_logged) {
      await waiting.until(() => parsed, PARSE_DEADLINE_MS);
    },
  };
}

/** @typedef {ReturnType<typeof createParsing>} Parsing */
