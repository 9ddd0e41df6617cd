/**
 * Whether the page is as large as it was when it was recorded.
 *
 * All else is compared between browsers: where a replay goes wrong alike in all of them, nothing differs. In the browser that
 * was recorded a gesture finds as many elements as it found then.
 */
import { isLoadOfWindow } from './log.js';

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./findings.js').Findings} findings
 * @param {boolean} own this is the browser that the log was recorded in
 */
export function createPageSize(realm, findings, own) {
  let loaded = false;

  return {
    /** @param {import('./log.js').Logged} logged */
    reached({ id, what }) {
      // While a page is parsed, how far it has come is the network's affair.
      loaded ||= isLoadOfWindow(what);
      const recorded = what.data?.elements;
      if (own && loaded && recorded !== undefined) {
        const here = realm.byTagName(realm.global.document, '*').length;
        if (here !== recorded) {
          findings.diverged(id, 'page-differs', recorded + ' elements', here + ' elements');
        }
      }
    },
  };
}
