/**
 * A document that is left is asked before, and told as it goes, by the browser alone, and can be told at no other time: what it keeps then is
 * what the next one begins with.
 */
const ASKED_BEFORE = 'beforeunload';
const LAST = { __proto__: null, pagehide: true, unload: true };
/** Of a window that is covered it is given by the log; of one that goes, nobody else is there to give it. */
const HIDDEN = 'visibilitychange';

/**
 * @param {import('./log.js').Log} log
 * @param {import('./engine.js').ReplayEngine} engine
 * @param {import('./waiting.js').Waiting} waiting
 * @param {import('./targets.js').Targets} targets
 */
export function createLeaving(log, engine, waiting, targets) {
  let goes = false;

  /**
   * Whether it is the browser's own, and goes on to the page as the log's.
   * @param {any} event
   * @param {string} type
   * @param {any} target
   */
  return function isTold(event, type, target) {
    const isLast = LAST[/** @type {'pagehide'} */ (type)] === true;
    goes ||= isLast;
    if (type !== ASKED_BEFORE && !isLast && (!goes || type !== HIDDEN)) {
      return false;
    }
    const logged = log.next(({ what }) => what.kind === 'dom' && what.type === type && targets.is(what.target, target));
    if (logged) {
      engine.begin(logged, event);
      waiting.changed();
    }
    return logged !== undefined;
  };
}
