/**
 * What the browser draws itself and moves by its own clock: a bar of progress that has no end yet. In pictures it is drawn as one that no
 * browser draws its own way, which stands still.
 */
const RULES = 'progress:indeterminate { appearance: none !important }';

/** @param {import('./realm.js').ReplayRealm} realm */
export function createStilled(realm) {
  const bars = realm.byTagName(realm.document, 'progress');
  /** @type {null | (() => void)} */
  let takeOff = null;

  return {
    /** Whether something would move in a picture. */
    isNeeded() {
      for (let i = 0; i < bars.length; i += 1) {
        if (!bars[i].hasAttribute('value')) {
          return true;
        }
      }
      return false;
    },

    /** @param {boolean} begins a picture is to be taken, or was */
    still(begins) {
      takeOff?.();
      takeOff = begins && this.isNeeded() ? realm.wear(RULES) : null;
    },
  };
}
