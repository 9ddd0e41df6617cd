/**
 * Lists that a `<select>` shows in a window of the browser's own. Blink gives keys to an open one alone: a page that was told of a key had
 * none open, and one that had been open before was closed by a key out of its sight.
 */

/** Of an element whose list stands within the page. */
const WITHIN_THE_PAGE = 'base-select';

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {boolean} hideKeys an open list has keys for itself here, or had them where the log is from
 */
export function createLists(realm, hideKeys) {
  return {
    /**
     * Whether one has to be closed before a gesture is given.
     * @param {any} what
     * @param {any} target
     */
    isOpen(what, target) {
      const isAsked = hideKeys && what.type === 'keydown' && target.nodeType === 1 && realm.localName(target) === 'select';
      return isAsked && realm.isOpen(target) && realm.computedStyle(target).appearance !== WITHIN_THE_PAGE;
    },

    /** They are gone with their box. In Blink, so is the focus: there a driver has to press a key. */
    close: () => realm.layOutWith('select:open { display: none !important; }'),
  };
}
