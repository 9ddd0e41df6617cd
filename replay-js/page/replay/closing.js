/** What is said when an event is over: where it asked for something else than the log has, or registered something else. */
import { compareRegistrations } from './registrations.js';

/**
 * @param {{
 *   log: import('./log.js').Log,
 *   findings: import('./findings.js').Findings,
 *   strays: import('./strays.js').Strays,
 *   rethrown: ReturnType<typeof import('./rethrown.js').createRethrown>,
 *   answers: ReturnType<typeof import('./answers.js').createAnswers>,
 *   listed: ReturnType<typeof import('./listed-answers.js').createListedAnswers>,
 *   global: any,
 * }} parts
 */
export function createClosing({ log, findings, strays, rethrown, answers, listed, global }) {
  /** @param {import('./events.js').Current} event */
  return function compare(event) {
    const { id, logged, counts, registered, extra } = event;
    strays.closed(event);
    if (logged) {
      rethrown.tell(id, logged.local.timer ?? [], registered.timer ?? []);
      compareRegistrations(logged, registered, findings, global);
      answers.unused(id, logged.local);
      listed.unused(id, logged.local, counts);
    } else if (extra && !rethrown.tell(extra.near, [], registered.timer ?? []) && (!isEmpty(counts) || !isEmpty(registered))) {
      // The recording does not tell of scripts that asked for nothing; one that only throws may well be among them.
      if (log.mayHaveCut(extra.key)) {
        findings.note(extra.near, 'a script ran that had not come when the recording ended: ' + extra.key);
      } else if (extra.key[0] === '#') {
        // It stands in the document, which is the recording's, and asked for nothing there.
        compareRegistrations({ id: extra.near, local: {} }, registered, findings, global);
      } else {
        findings.diverged(extra.near, 'script-extra', 'no such script', extra.key);
      }
    }
  };
}

/** @param {any} lists without a prototype */
function isEmpty(lists) {
  for (const _list in lists) {
    return false;
  }
  return true;
}
