/**
 * `<details open>` tells that it has been opened some time after the parser has made it. Whether the page's script
 * listens by then is a race in every browser, so that a `toggle` which the log does not have is no difference.
 */
import { newWeakMap } from '../natives.js';

/** @param {import('./realm.js').ReplayRealm} realm */
export function createOpened(realm) {
  /** Those that stood open when the document was parsed. */
  const expected = newWeakMap();
  let isParsed = false;

  return {
    parsed() {
      isParsed = true;
      const open = realm.queryOpenDetails();
      for (let i = 0; i < open.length; i += 1) {
        expected.set(open[i], true);
      }
    },
    /**
     * Says so once for each element: what opens it again is something else.
     * @param {any} element
     */
    expects(element) {
      return !isParsed || expected.delete(element);
    },
  };
}

/** @typedef {ReturnType<typeof createOpened>} Opened */
