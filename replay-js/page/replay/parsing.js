/**
 * Scripts run where the browser's parser meets them, and cannot be stopped there. Where the log has something between two
 * of them, the second one's response is held until that has run; where it cannot be, because the script stands in the
 * document itself, what ran between waits until the parser is through.
 */

const PARSE_DEADLINE_MS = 10_000;

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('./log.js').Log} log
 * @param {import('./waiting.js').Waiting} waiting
 */
export function createParsing(realm, log, waiting) {
  /** The parser is through; deferred scripts and modules may be still to come. */
  let atEnd = false;
  let parsed = false;
  // No frames come while the parser waits for a script in the head.
  const observer = new realm.global.MutationObserver(() => waiting.changed());
  observer.observe(realm.document, { childList: true, subtree: true });

  /**
   * The parser has come to this script and waits for it.
   * @param {import('./log.js').Logged | undefined} script
   */
  function waitsFor(script) {
    if (!script || script.done || script.what.key[0] === '#') {
      return false;
    }
    const elements = realm.byTagName(realm.document, 'script');
    for (let i = 0; i < elements.length; i += 1) {
      if (elements[i].src === script.what.key) {
        return true;
      }
    }
    return false;
  }

  return {
    /** The browser's own `readystatechange` came, the first time after the parser's last script. */
    interactive() {
      atEnd = true;
      waiting.changed();
    },
    /** The browser's own DOMContentLoaded came: parser, deferred and module scripts have run. */
    finished() {
      atEnd = true;
      parsed = true;
      observer.disconnect();
      waiting.changed();
    },
    isFinished: () => parsed,
    /**
     * Whether a script that has not run yet can run no more.
     * @param {any} what
     */
    cannotCome(what) {
      return parsed && what.order !== 'arrival';
    },
    /** @param {import('./log.js').Logged} logged */
    async beforeOther({ id }) {
      const next = log.next((later) => later.id > id && later.what.kind === 'script' && later.what.order === 'parser');
      await waiting.until(() => atEnd || waitsFor(next), PARSE_DEADLINE_MS);
    },
    /**
     * Waits until the document has come as far as the log had when it wrote this, or until that is there. A script that only
     * throws is in no other event, so that nothing else says when it has run.
     * @param {import('./log.js').Logged} logged
     * @param {() => boolean} isThere
     */
    async comesTo({ id, what: { source } }, isThere) {
      const next = log.next(({ id: of, what }) => of > id && what.kind === 'script' && what.order !== 'arrival');
      // Where it is the first that a script does, that the parser has come to that one says nothing.
      const throws = next?.what.key === source;
      const isNamed = (/** @type {string} */ type) => log.next(({ id: of, what }) => of > id && what.kind === 'dom' && what.type === type);
      const parses = isNamed('readystatechange')?.what.data?.state === 'interactive';
      const loads = isNamed('DOMContentLoaded') !== undefined;
      await waiting.until(() => isThere() || !loads || parsed || (parses && atEnd) || (waitsFor(next) && !throws), PARSE_DEADLINE_MS);
    },
  };
}

/** @typedef {ReturnType<typeof createParsing>} Parsing */
