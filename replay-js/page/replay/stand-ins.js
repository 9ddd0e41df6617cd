/** What a page brings for browsers that lack something, where the log has that something. */
import { append } from '../natives.js';

/**
 * The logged idle callback that a timer stands for: one that the log does not have, in a browser without `requestIdleCallback`.
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./events.js').Current} event
 * @param {{callback: string}} timer
 * @returns {string | undefined}
 */
export function idleInstead(realm, { logged, registered }, timer) {
  const next = registered.idle?.length ?? 0;
  const idle = realm.requestIdleCallback ? undefined : logged?.local.idle?.[next];
  const isLogged = count(logged?.local.timer ?? [], timer.callback) > count(identities(registered.timer ?? []), timer.callback);
  return isLogged ? undefined : idle;
}

/** @param {import('./engine.js').Entry[]} entries */
function identities(entries) {
  /** @type {any[]} */
  const found = [];
  for (let i = 0; i < entries.length; i += 1) {
    append(found, entries[i].identity);
  }
  return found;
}

/**
 * @param {{callback: string}[]} timers
 * @param {string} callback
 */
function count(timers, callback) {
  let same = 0;
  for (let i = 0; i < timers.length; i += 1) {
    same += timers[i].callback === callback ? 1 : 0;
  }
  return same;
}
