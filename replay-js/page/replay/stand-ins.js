/** What a page brings for browsers that lack something, where the log has that something. */

/**
 * The logged idle callback that a timer stands for: one that the log does not have, in a browser without `requestIdleCallback`.
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./events.js').Current} event
 * @param {{callback: string}} timer
 * @returns {string | undefined}
 */
export function idleInstead(realm, { logged, registered }, { callback }) {
  const idle = realm.requestIdleCallback ? undefined : logged?.local.idle?.[registered.idle?.length ?? 0];
  if (idle === undefined) {
    return undefined;
  }
  let expected = 0;
  const timers = logged?.local.timer ?? [];
  for (let i = 0; i < timers.length; i += 1) {
    expected += timers[i].callback === callback ? 1 : 0;
  }
  const entries = registered.timer ?? [];
  for (let i = 0; i < entries.length; i += 1) {
    expected -= entries[i].identity.callback === callback ? 1 : 0;
  }
  return expected > 0 ? undefined : idle;
}
