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
  let behind = false;
  /**
   * Behind the page's own listeners, so that what they do is told, too.
   *
   * @param {string} type
   * @param {() => void} act
   */
  const actBehind = (type, act) => realm.addEventListener(global, type, act, { __proto__: null, once: true });
  const isHidden = () => global.document.visibilityState === 'hidden';
  // Chromium calls all listeners of a window in one go, so that one added meanwhile comes too late for the same event;
  // there a page that is seen hides after `pagehide`, which it may hear, too, and says its last words then.
  watch(global, 'pagehide', () => {
    left = true;
    wire.flushAtEnd(!behind && isHidden());
    if (behind) {
      actBehind('pagehide', () => wire.flushAtEnd(true));
    }
  });
  // A page that is left while it loads hears of it only by this; later it would keep Firefox from caching the page.
  const leavesEarly = () => wire.flushAtEnd(true);
  realm.addEventListener(global, 'beforeunload', leavesEarly);
  watch(global, 'pageshow', () => {
    realm.removeEventListener(global, 'beforeunload', leavesEarly);
    left = false;
    actBehind('pageshow', () => {
      behind = true;
    });
  });
  watch(global, 'visibilitychange', () => actBehind('visibilitychange', () => wire.flushAtEnd(left && isHidden())));
}
