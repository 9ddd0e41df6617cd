/**
 * Scroll bars: Chromium and Firefox are started without, or with such as take no room. WebKit's lie over the page, are in no picture, take what
 * is pressed there, and are as wide as the page's styles want them, which is a difference of nobody's.
 */
const NONE = '::-webkit-scrollbar { display: none !important }';

/** @param {import('./realm.js').ReplayRealm} realm */
export function hideBars(realm) {
  if (realm.isWebKit) {
    realm.wear(NONE);
  }
}
