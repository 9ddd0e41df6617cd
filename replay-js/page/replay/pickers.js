/**
 * What is chosen in a window of the browser's own: in a list's, a calendar's, a palette's. Blink gives keys to an open one alone: a page
 * that was told of a key had none open, and one that had been open before was closed by a key out of its sight.
 */

/** Of an element whose list stands within the page. */
const WITHIN_THE_PAGE = 'base-select';

/** Types of fields that have one, and of which the page is told what is chosen before it is chosen for good. */
const PICKED = { __proto__: null, color: true, date: true, 'datetime-local': true, month: true, time: true, week: true };

/**
 * Whether this came of what was done in such a window, while the page was told of nothing but what had opened it.
 * @param {any} what
 * @param {any} gesture
 */
export function isPicked({ type, target }, gesture) {
  return type === 'input' && PICKED[/** @type {'date'} */ (target.field_type)] === true && gesture?.type !== 'keydown' && gesture?.type !== 'change';
}

/**
 * Whether keys put a date or a time together: it has parts, in an order of each browser's own, and tells when there is one of each.
 * @param {any} what
 * @param {any} gesture
 */
export function isOfParts({ type, target }, gesture) {
  return type === 'input' && PICKED[/** @type {'date'} */ (target.field_type)] === true && gesture?.type === 'keydown';
}

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {boolean} hideKeys an open list has keys for itself here, or had them where the log is from
 */
export function createPickers(realm, hideKeys) {
  return {
    /**
     * Whether one has to be closed before a gesture is given.
     * @param {any} what
     */
    isOpen({ type }) {
      const open = hideKeys && type === 'keydown' ? realm.openPicker() : null;
      return open !== null && realm.computedStyle(open).appearance !== WITHIN_THE_PAGE;
    },

    /** Lists are gone with their box. In Blink, so is the focus: there a driver has to press a key. */
    close: () => realm.layOutWith('select:open { display: none !important; }'),
  };
}
