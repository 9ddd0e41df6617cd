/**
 * Keys go where the focus is. Where what they came to is not there, something else may have the focus in its place: an editor
 * puts another field there for browsers that lack what it used in the recording, and a person types into that one.
 */

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./findings.js').Findings} findings
 * @param {import('./targets.js').Targets} targets
 */
export function createAstray(realm, findings, targets) {
  /** @type {any} */
  let focused = null;
  /** What has been said to be missing. @type {any} */
  const missing = { __proto__: null };

  return {
    /** @param {any} target whether it has the focus in the place of what the last key came to */
    isAt: (target) => focused !== null && target === focused,
    /** The next gesture has what it came to. */
    none() {
      focused = null;
    },
    /**
     * Whether a key can be pressed though what it came to is missing, which is told once.
     * @param {import('./log.js').Logged} logged
     * @param {string[]} notes
     */
    isTaken({ id, what }, notes) {
      const isKey = what.type === 'keydown' || what.type === 'keyup';
      focused = isKey ? realm.focused() : null;
      const wanted = targets.describe(what.target);
      if (focused === null || !missing[wanted]) {
        findings.diverged(id, 'target-missing', wanted, focused === null ? 'nothing' : targets.name(focused) + ' has the focus');
      }
      if (focused !== null) {
        missing[wanted] = true;
        notes[notes.length] = targets.name(focused) + ' has the focus instead of ' + wanted;
      }
      return focused !== null;
    },
  };
}
