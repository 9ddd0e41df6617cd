/**
 * The recorder's entry.
 */
import { claimWindow, joinFamily } from './family.js';
import { hello } from './hello.js';
import { parseJson } from './natives.js';
import { createRecordEngine } from './record/engine.js';
import { createWire } from './record/wire.js';
import { installSources } from './sources/all.js';
import { nameScript } from './sources/scripts.js';

/**
 * @param {any} global
 * @param {string} configText
 */
export function startRecorder(global, configText) {
  const config = parseJson(configText);
  const realm = claimWindow(global, config);
  global.document.currentScript?.remove();
  if (realm === null) {
    return;
  }
  const place = joinFamily(realm, config);
  const wire = createWire(realm, config.endpoint);
  wire.send({ hello: hello(realm, config, place) });
  const engine = createRecordEngine(realm, wire, place.family, nameScript);
  const { watch } = installSources(realm, engine, place.answer, () => {});
  place.answer(realm, watch, null);
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
