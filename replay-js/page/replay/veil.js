/**
 * A view transition lies over the page until it is over: what the pointer does comes to the root, and nothing below hears of it. In a replay
 * it is over at once (`view-transitions.js`), so that a veil of ours takes its place for what was done to it. Another one, which lets all
 * through, keeps text from being selected on a way of the pointer that nobody went.
 */

/** More than one takes. What comes to the root for another reason comes there with a veil, too. */
const LONGEST_MS = 5_000;
/** On a way that nobody went Firefox selects what lies between, and WebKit does or does not, as fast as it is. */
const UNSELECTED = ':root { user-select: none !important; -webkit-user-select: none !important }';
/** A press beside a field puts the caret, and with it the focus, into the nearest text there is, which the browser's own veil keeps it from. */
const UNREACHED = ':root * { pointer-events: none !important } ' + UNSELECTED;

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./log.js').Log} log
 */
export function createVeil(realm, log) {
  /** @type {null | (() => void)} */
  let takeOff = null;

  /** @param {import('./log.js').Logged} logged */
  function isVeiled({ id, at }) {
    const began = log.firstAfter(-1, (other) => {
      const { kind, event, of } = other.what;
      const isRecent = other.id < id && at - other.at < LONGEST_MS && kind === 'host' && event === 'deliver';
      return isRecent && log.registered('host', of) === 'Document.startViewTransition';
    });
    return began !== undefined;
  }

  return {
    /**
     * Before the pointer is given.
     * @param {import('./log.js').Logged} logged
     * @param {any} target
     */
    lay(logged, target) {
      this.lift();
      if (target === realm.document.documentElement && isVeiled(logged)) {
        takeOff = realm.wear(UNREACHED);
      }
    },

    /** Before the pointer is led where nobody took it. */
    keepSelection() {
      takeOff ??= realm.wear(UNSELECTED);
    },

    lift() {
      takeOff?.();
      takeOff = null;
    },
  };
}
