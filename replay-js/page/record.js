/**
 * The recorder's entry.
 */
import { joinFamily } from './family.js';
import { hello } from './hello.js';
import { captureRealm, parseJson } from './natives.js';
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
  const realm = captureRealm(global);
  const own = realm.currentScript();
  if (own) {
    realm.remove(own);
  }
  const place = joinFamily(realm, config);
  const wire = createWire(realm, config.endpoint);
  wire.send({ hello: hello(realm, config, place) });
  const engine = createRecordEngine(realm, wire, place.family, nameScript);
  const { watch } = installSources(realm, engine);
  place.answer(watch);
  watch(global, 'pagehide', wire.flushAtEnd);
  watch(global.document, 'visibilitychange', () => {
    if (global.document.visibilityState === 'hidden') {
      wire.flushAtEnd();
    }
  });
}
