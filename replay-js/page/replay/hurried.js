/**
 * What style sheets let move by the clock, and what can neither be brought to its end nor be switched off in every browser: it
 * is made too short to be seen on its way, by a style sheet of ours. Its events come as they would.
 */
import { newWeakMap } from '../natives.js';

/** What `<details>` hides: Chromium does not list its transitions among a document's animations. Gecko does not even tell of them. */
const CONTENT = '::details-content';
const SHORT = CONTENT + ' { transition-duration: 1ms !important; transition-delay: 0s !important }';
const UNTOLD = CONTENT + ' { transition: none !important }';

/** The way to where a link leads on the page. Chromium and Firefox are started without, which WebKit cannot be. */
const AT_ONCE = '* { scroll-behavior: auto !important }';

/** @param {import('./realm.js').ReplayRealm} realm */
export function createHurried(realm) {
  const seen = newWeakMap();
  let isShort = false;
  let isAtOnce = false;

  function anyMoves() {
    const all = realm.byTagName(realm.document, 'details');
    for (let i = 0; i < all.length; i += 1) {
      if (!seen.has(all[i])) {
        seen.set(all[i], true);
        if (realm.movesWithin(all[i], CONTENT)) {
          return true;
        }
      }
    }
    return false;
  }

  return {
    /** Whether the page wants to be scrolled smoothly, whatever its styles say now. */
    isAtOnce: () => isAtOnce,
    /** Before something is done that may begin it. */
    hurry() {
      if (!isShort && anyMoves()) {
        isShort = true;
        realm.wear(realm.isGecko ? UNTOLD : SHORT);
      }
      const { documentElement } = realm.document;
      if (!isAtOnce && documentElement && realm.computedStyle(documentElement).scrollBehavior === 'smooth') {
        isAtOnce = true;
        realm.wear(AT_ONCE);
      }
    },
  };
}

/** @typedef {ReturnType<typeof createHurried>} Hurried */
