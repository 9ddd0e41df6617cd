/**
 * Exceptions of this replay against those of the recording. Engines word them differently, so they are compared by
 * where in the order they come; the first one without a partner is the likely cause of what differs from then on.
 */

import { indexOf, slice } from '../natives.js';
import { messageOf, stackOf } from '../sources/errors.js';

/** How often an observer of sizes runs before the next frame is each engine's own affair, and it is our turns that it runs in. */
const OF_ENGINE = 'ResizeObserver loop';

/** A rejection that nobody handled is told in a task of the browser's, which may come after ours. */
const REJECTION_DEADLINE_MS = 3_000;

/** WebKit's driver runs our questions by a script of its own in the page, which stumbles over what the page has patched. */
const OF_DRIVER = 'evaluateJavaScriptFunction@';

/**
 * WebKit tells nothing of what it finds in a script before it runs, such as a name that is taken: that is the next one before
 * anything else is done.
 * @param {any} error
 */
function saysNothing(error) {
  return error.via === 'error' && !error.source && !error.line;
}

/**
 * `TypeError`, say; what was thrown without one is of the same kind only if it says the same.
 * @param {any} error
 */
function errorKind({ message }) {
  const end = indexOf(message, ': ');
  return end < 0 ? message : slice(message, 0, end);
}

/** @param {any} error */
function isOfEngine(error) {
  return indexOf(error.message, OF_ENGINE) >= 0 || (error.via === 'rejection' && indexOf(error.stack ?? '', OF_DRIVER) >= 0);
}

/**
 * The exception among what a page writes to the console, which may begin with words of its own. Those alone say nothing of
 * what it does.
 * @param {ArrayLike<any>} said
 */
function caughtIn(said) {
  for (let i = 0; i < said.length; i += 1) {
    const stack = stackOf(said[i]);
    if (stack !== undefined) {
      return { message: messageOf(said[i]), stack, via: 'console' };
    }
  }
  return undefined;
}

/** @param {any} error */
function whole(error) {
  return { ...error, source: error.source ?? '', line: error.line ?? 0, column: error.column ?? 0, stack: error.stack ?? '' };
}

/**
 * @param {import('./log.js').Log} log
 * @param {import('./engine.js').ReplayEngine} engine
 * @param {import('./findings.js').Findings} findings
 * @param {import('./waiting.js').Waiting} waiting
 * @param {import('./parsing.js').Parsing} parsing
 */
export function compareExceptions(log, engine, findings, waiting, parsing) {
  engine.onError((error, current, said) => {
    if (isOfEngine(error)) {
      return;
    }
    const logged = partner(error, current);
    if (logged) {
      logged.done = true;
      waiting.changed();
      if (logged.what.message !== error.message) {
        findings.note(logged.id, 'said here: ' + error.message);
      }
      return logged;
    }
    const event = current.logged ? current.id : engine.nearest();
    if (error.via !== 'console') {
      findings.blame(whole(error));
      findings.diverged(event, 'exception-only-here', 'no exception', error.message);
      return undefined;
    }
    const caught = said && caughtIn(said);
    if (caught) {
      findings.complained(event, whole(caught));
    }
    return undefined;
  });

  /**
   * The error logged right after the event that is running, or one of the same place in the source.
   * @param {any} error
   * @param {import('./engine.js').Current} current
   */
  function partner(error, current) {
    const isOpen = (/** @type {import('./log.js').Logged} */ { what }) => what.kind === 'error' && what.via === error.via;
    const isSame = (/** @type {import('./log.js').Logged} */ { what }) => what.message === error.message || (what.source === error.source && what.line === error.line && what.source !== undefined);
    if (current.logged?.what.kind === 'script') {
      // What a script begins with stands before it.
      const before = log.byId(current.id - 1);
      if (before && !before.done && isOpen(before) && isSame(before)) {
        return before;
      }
    }
    if (current.logged) {
      let between = false;
      const next = log.next((logged) => {
        if (logged.id <= current.id) {
          return false;
        }
        between ||= !isOpen(logged) && logged.what.kind !== 'script';
        return !between && isOpen(logged);
      });
      if (next) {
        return next;
      }
    }
    if (saysNothing(error)) {
      return log.beforeGesture(isOpen);
    }
    if (error.via === 'rejection') {
      // In which task nobody handled it is up to the engine; that it is an error of the same kind is not.
      const next = log.beforeGesture(({ what }) => what.kind === 'error' && what.via === 'rejection' && errorKind(what) === errorKind(error));
      if (next) {
        return next;
      }
    }
    return log.next((logged) => isOpen(logged) && isSame(logged));
  }

  /**
   * What a script begins with that then does nothing which is recorded: it stands before that script, which is brought by its own turn.
   * @param {import('./log.js').Logged} logged
   */
  function isOfNextScript({ id, what }) {
    const next = log.byId(id + 1);
    return what.via === 'error' && next !== undefined && !next.done && next.what.kind === 'script' && next.what.order === 'arrival' && next.what.key === what.source;
  }

  /** @param {import('./log.js').Logged} logged */
  function over(logged) {
    if (!logged.done && logged.what.via !== 'console' && !isOfEngine(logged.what)) {
      findings.diverged(logged.id, 'exception-missing', logged.what.message, 'no exception');
    }
    logged.done = true;
  }

  return {
    /**
     * An error of the log whose turn has come.
     * @param {import('./log.js').Logged} logged
     */
    async due(logged) {
      if (!logged.done && isOfNextScript(logged)) {
        return;
      }
      if (!logged.done && logged.what.via === 'rejection') {
        await waiting.turn(() => engine.transitions.refuse(logged.what.message));
        await waiting.until(() => logged.done, REJECTION_DEADLINE_MS);
      }
      if (!logged.done && logged.what.via === 'error') {
        await parsing.comesTo(logged, () => logged.done);
      }
      over(logged);
    },

    /**
     * A script has run, and so has what stands before it.
     * @param {import('./log.js').Logged} logged
     */
    ran({ id, what }) {
      const before = what.kind === 'script' ? log.byId(id - 1) : undefined;
      if (before?.what.kind === 'error') {
        over(before);
      }
    },
  };
}
