/** What the page has registered beyond the log's, and the log may have elsewhere: then it is run when the log says so. */
import { append, splice } from '../natives.js';
import { isAct } from './log.js';
import { identityText } from './registrations.js';

/**
 * @param {import('./log.js').Log} log
 * @param {import('./engine.js').ReplayEngine} engine
 */
export function createClaims(log, engine) {
  /** The events of the log that something registered brings, by what that is; made once somebody asks. @type {any} */
  let uses = null;

  function usesByName() {
    /** @type {any} */
    const found = { __proto__: null };
    for (let i = 0; i < log.ordered.length; i += 1) {
      const { what } = log.ordered[i];
      const list = what.kind === 'settle' ? what.list : what.kind;
      const registered = what.of && log.registered(list, what.of);
      if (registered !== undefined) {
        append((found[list + ' ' + identityText(list, registered)] ??= []), log.ordered[i]);
      }
    }
    return found;
  }

  /** The first thing a person is yet to do; kept as long as it is. @type {import('./log.js').Logged | undefined | null} */
  let act = null;

  function nextAct() {
    if (act === null || act?.done) {
      act = log.next(({ what }) => isAct(what));
    }
    return act?.id ?? Infinity;
  }

  return {
    /**
     * Whether the log has the same of an event that is over and has none of its own, or of one that comes before a person does
     * anything else.
     * @param {import('./engine.js').Entry} entry
     */
    isClaimed({ list, identity }) {
      uses ??= usesByName();
      const all = uses[list + ' ' + identityText(list, identity)] ?? [];
      for (let i = all.length - 1; i >= 0; i -= 1) {
        const { done, what } = all[i];
        if (done) {
          splice(all, i, 1);
        } else if (log.byId(what.of[0])?.done ? !engine.partner(list, what.of) : nextAct() > what.of[0]) {
          return true;
        }
      }
      return false;
    },
  };
}
