/** What the browser has brought to something that the page registered, kept until the log says that its turn has come. */
import { append, splice } from '../natives.js';

/**
 * @param {import('./engine.js').Entry} entry
 * @param {string} type
 */
export function broughtTo(entry, type) {
  const at = placeOf(entry, type);
  return at < 0 ? undefined : entry.arrivals[at];
}

/**
 * @param {import('./engine.js').Entry} entry
 * @param {string} type
 */
export function takeBrought(entry, type) {
  const at = placeOf(entry, type);
  return at < 0 ? undefined : splice(entry.arrivals, at, 1)[0];
}

/**
 * How much observers have to tell at once is up to the engine: as much as the log has is there.
 * @param {import('./engine.js').Entry} entry
 * @param {number} count
 */
export function hasSeen(entry, count) {
  let seen = 0;
  for (let i = 0; i < entry.arrivals.length; i += 1) {
    seen += entry.arrivals[i].count ?? 0;
  }
  return seen >= count;
}

/**
 * All that an observer has seen, as one delivery; the engine's own cuts make no difference.
 * @param {import('./engine.js').Entry} entry
 */
export function takeSeen(entry) {
  const all = splice(entry.arrivals, 0, entry.arrivals.length);
  /** @type {any[]} */
  const entries = [];
  for (let i = 0; i < all.length; i += 1) {
    for (let k = 0; k < (all[i].count ?? 0); k += 1) {
      append(entries, all[i].given[0][k]);
    }
  }
  const last = all[all.length - 1];
  return { ...last, given: [entries, last.given[1]] };
}

/**
 * @param {import('./engine.js').Entry} entry
 * @param {string} type
 */
function placeOf(entry, type) {
  for (let i = 0; i < entry.arrivals.length; i += 1) {
    if (entry.arrivals[i].type === type) {
      return i;
    }
  }
  return -1;
}
