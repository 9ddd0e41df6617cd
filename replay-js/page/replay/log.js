/** The log of this load, as the replaying engine asks it: by id, by script, by kind of DOM event. */
import { append } from '../natives.js';

/**
 * @typedef {object} Logged
 * @property {number} id
 * @property {number} at milliseconds since the epoch
 * @property {any} what
 * @property {any} local
 * @property {boolean} done it has run, or has been given up
 */

/** @param {any[]} events in their order, as `trace::Event` */
export function readLog(events) {
  /** @type {Logged[]} */
  const ordered = [];
  /** @type {Logged[]} */
  const byId = [];
  for (let i = 0; i < events.length; i += 1) {
    const { id, at, what, local } = events[i];
    const logged = { id, at, what: what ?? { kind: 'none' }, local: { ...local }, done: false };
    undoDifferences(logged.local, 'date');
    undoDifferences(logged.local, 'now');
    append(ordered, logged);
    byId[id] = logged;
  }

  /**
   * The first event that has not run yet and fits.
   * @param {(logged: Logged) => boolean} fits
   */
  function next(fits) {
    for (let i = 0; i < ordered.length; i += 1) {
      if (!ordered[i].done && fits(ordered[i])) {
        return ordered[i];
      }
    }
    return undefined;
  }

  return {
    ordered,
    next,
    /** @param {number} id */
    byId: (id) => byId[id],
    /** @param {string} key */
    nextScript: (key) => next(({ what }) => what.kind === 'script' && what.key === key),
    /**
     * @param {string} type
     * @param {(target: any) => boolean} isTarget
     */
    nextDom: (type, isTarget) => next(({ what }) => what.kind === 'dom' && what.type === type && isTarget(what.target)),
  };
}

/** @typedef {ReturnType<typeof readLog>} Log */

/**
 * Undoes the differences of a list of times.
 * @param {any} local
 * @param {string} list
 */
function undoDifferences(local, list) {
  const differences = local[list] ?? [];
  const values = [];
  let last = 0;
  for (let i = 0; i < differences.length; i += 1) {
    last += differences[i];
    values[i] = last;
  }
  local[list] = values;
}
