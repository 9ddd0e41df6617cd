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
 * The first of this type, or the first that says the same as the log.
 * @param {import('./engine.js').Entry} entry
 * @param {string} type
 * @param {unknown} data
 */
export function takeBrought(entry, type, data) {
  const said = placeOf(entry, type, data);
  const at = said < 0 ? placeOf(entry, type) : said;
  return at < 0 ? undefined : splice(entry.arrivals, at, 1)[0];
}

/**
 * A worker has a time of its own, and says in between what it did not say then: what the log has is waited for, unless
 * that was in vain before, or nothing came at all, which has been waited for.
 * @param {import('./engine.js').Entry} entry
 * @param {string} type
 * @param {unknown} data
 * @param {import('./waiting.js').Waiting} waiting
 * @param {number} patience
 */
export async function waitForWords(entry, type, data, waiting, patience) {
  if (typeof data !== 'string' || entry.unlike || !broughtTo(entry, type)) {
    return;
  }
  entry.unlike = !(await waiting.until(() => placeOf(entry, type, data) >= 0, patience));
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
 * What an observer has seen, as one delivery; the engine's own cuts make no difference. What is more than the log has waits, where
 * it has another delivery.
 * @param {import('./engine.js').Entry} entry
 * @param {number} most
 */
export function takeSeen(entry, most) {
  const all = splice(entry.arrivals, 0, entry.arrivals.length);
  /** @type {any[]} */
  const entries = [];
  for (let i = 0; i < all.length; i += 1) {
    for (let k = 0; k < (all[i].count ?? 0); k += 1) {
      append(entries, all[i].given[0][k]);
    }
  }
  const last = all[all.length - 1];
  const rest = splice(entries, most, entries.length);
  if (rest.length > 0) {
    append(entry.arrivals, { ...last, given: [rest, last.given[1]], count: rest.length });
  }
  return { ...last, given: [entries, last.given[1]] };
}

/**
 * @param {import('./engine.js').Entry} entry
 * @param {string} type
 * @param {unknown} [data] what it says, where it says something
 */
function placeOf(entry, type, data) {
  for (let i = 0; i < entry.arrivals.length; i += 1) {
    const arrival = entry.arrivals[i];
    if (arrival.type === type && (data === undefined || arrival.data === data)) {
      return i;
    }
  }
  return -1;
}
