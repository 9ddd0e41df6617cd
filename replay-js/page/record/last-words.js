/** What a document still has to say when it goes away, or may. */

/**
 * @param {import('../natives.js').Realm} realm
 * @param {ReturnType<typeof import('./wire.js').createWire>} wire
 * @param {import('../watch.js').Watch} watch
 */
export function sayLastWords(realm, wire, watch) {
  const { global } = realm;
  let left = false;
  const flush = () => wire.flushAtEnd(left);
  const sayGoodbye = () => {
    left = true;
    flush();
  };
  // Behind the page's own listeners, so that what they do is told, too. Chromium calls all listeners of a window in one
  // go, in the order in which they were added, so this one is put behind the page's again and again.
  const goLast = () => {
    realm.removeEventListener(global, 'pagehide', sayGoodbye);
    realm.addEventListener(global, 'pagehide', sayGoodbye);
  };
  goLast();
  // A page that is left while it loads hears of it only by this; later it would keep Firefox from caching the page.
  realm.addEventListener(global, 'beforeunload', sayGoodbye);
  watch(global, 'pageshow', () => {
    realm.removeEventListener(global, 'beforeunload', sayGoodbye);
    left = false;
    goLast();
  });
  watch(global, 'visibilitychange', () => {
    goLast();
    flush();
  });
}
