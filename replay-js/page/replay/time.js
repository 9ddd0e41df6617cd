/**
 * Time as the page sees it: the log's, and where the log says nothing, on from the event that is running. Nobody waits
 * for wall time.
 */
import { max } from '../more-natives.js';

/** How far the clock goes on with each reading the log does not have: busy waiting comes to an end. */
const STEP_MS = 0.05;

/** @param {import('./log.js').Log} log */
export function createVirtualTime(log) {
  let at = log.ordered.length > 0 ? log.ordered[0].at : 0;
  const origin = originOf(log);
  let last = { __proto__: null, date: 0, now: 0 };

  return {
    /**
     * An event begins.
     * @param {number} epoch
     */
    reach(epoch) {
      at = max(at, epoch);
    },
    /** Milliseconds since the epoch. */
    now: () => at,
    origin,
    /**
     * @param {'date' | 'now'} list
     * @param {number | undefined} logged milliseconds for `date`, microseconds for `now`
     * @param {number} _reads
     */
    value(list, logged, _reads) {
      if (logged !== undefined) {
        last[list] = logged;
        return list === 'date' ? logged : logged / 1000;
      }
      at += STEP_MS;
      const value = max(last[list], list === 'date' ? at : (at - origin) * 1000);
      last[list] = value;
      return list === 'date' ? value - (value % 1) : (value - (value % 1)) / 1000;
    },
  };
}

/**
 * When the recorded navigation began, as near as its readings of `performance.now` tell.
 * @param {import('./log.js').Log} log
 */
function originOf(log) {
  for (let i = 0; i < log.ordered.length; i += 1) {
    const { at, local } = log.ordered[i];
    if (local.now.length > 0) {
      return at - local.now[0] / 1000;
    }
  }
  return log.ordered.length > 0 ? log.ordered[0].at : 0;
}
