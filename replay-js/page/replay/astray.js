/**
 * Keys go where the focus is. Where what they came to is not there, something else may have the focus in its place: an editor
 * puts another field there for browsers that lack what it used in the recording, and a person types into that one, and
 * points at it before.
 */
import { append, uncurry } from '../natives.js';

/** A browser takes the focus from these, at once or with a frame to come. */
const WITHOUT_FOCUS = ':disabled, [inert], [inert] *';

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./findings.js').Findings} findings
 * @param {import('./targets.js').Targets} targets
 */
export function createAstray(realm, findings, targets) {
  /** @type {any} */
  let instead = null;
  /** What has been said to be missing. @type {any} */
  const missing = { __proto__: null };

  /** @param {any} what */
  function standIn({ type, data }) {
    if (type === 'keydown' || type === 'keyup') {
      return realm.focused();
    }
    const at = data?.x === undefined ? null : realm.elementAt(data.x, data.y);
    return at !== null && realm.isField(at) ? at : null;
  }

  const isOneOf = uncurry(realm.global.Element.prototype.matches);

  return {
    /**
     * Whether the focus is elsewhere although this could have it.
     * @param {any} target
     */
    lacksFocus(target) {
      return target?.nodeType === 1 && !isOneOf(target, WITHOUT_FOCUS) && realm.isShown(target);
    },
    /** @param {any} target whether it stands where what the last gesture came to is missing */
    isAt: (target) => instead !== null && target === instead,
    /** The next gesture has what it came to. */
    none() {
      instead = null;
    },
    /**
     * Whether a gesture can be made though what it came to is missing, which is told once.
     * @param {import('./log.js').Logged} logged
     * @param {string[]} notes
     */
    isTaken({ id, what }, notes) {
      instead = standIn(what);
      const wanted = targets.describe(what.target);
      const name = instead === null ? 'nothing' : targets.name(instead) + ' in its place';
      if (instead === null || !missing[wanted]) {
        findings.diverged(id, 'target-missing', wanted, name);
      }
      if (instead !== null) {
        missing[wanted] = true;
        append(notes, 'given to ' + name);
      }
      return instead !== null;
    },
  };
}
