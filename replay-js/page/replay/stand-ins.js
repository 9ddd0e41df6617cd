/** What a page brings for browsers that lack something, where the log has that something: a timer. */
import { lackedFor } from './lacked.js';
import { BESIDE_TIMERS, identityText } from './registrations.js';

/**
 * What a timer stands for that the log does not have: an idle callback, or a task that promises its end.
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./events.js').Current} event
 * @param {{callback: string}} timer
 * @returns {{list: string, identity: string, isCalled?: boolean} | undefined} and whether the log has its call beside its end
 */
export function standsFor(realm, event, timer) {
  if (isLogged(event, 'timer', timer)) {
    return undefined;
  }
  const { logged, registered } = event;
  const idle = realm.requestIdleCallback ? undefined : logged?.local.idle?.[registered.idle?.length ?? 0];
  if (idle !== undefined) {
    return { list: 'idle', identity: idle };
  }
  const promise = logged?.local.promise?.[registered.promise?.length ?? 0];
  if (promise === undefined || lackedFor(realm.global, 'promise', promise) === undefined) {
    return undefined;
  }
  for (const list in BESIDE_TIMERS) {
    if (isLogged(event, list, timer)) {
      return undefined;
    }
  }
  return { list: 'promise', identity: promise, isCalled: logged?.local.host?.[registered.host?.length ?? 0] === promise };
}

/**
 * Whether the log has the same function there once more than the page has registered it.
 * @param {import('./events.js').Current} event
 * @param {string} list
 * @param {{callback: string}} timer
 */
function isLogged({ logged, registered }, list, { callback }) {
  let expected = 0;
  const items = logged?.local[list] ?? [];
  for (let i = 0; i < items.length; i += 1) {
    expected += identityText(list, items[i]) === callback ? 1 : 0;
  }
  const entries = registered[list] ?? [];
  for (let i = 0; i < entries.length; i += 1) {
    expected -= identityText(list, entries[i].identity) === callback ? 1 : 0;
  }
  return expected > 0;
}
