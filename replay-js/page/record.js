/**
 * The recorder's entry.
 */
import { installSources } from './sources/all.js';
import { createRecordEngine } from './record/engine.js';
import { claimWindow, joinFamily } from './family.js';
import { hello } from './hello.js';
import { defineProperty, parseJson } from './natives.js';
import { sayLastWords } from './record/last-words.js';
import { createWire } from './record/wire.js';
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
  const wire = createWire(realm, config.endpoint, config.sockets);
  wire.send({ hello: hello(realm, config, place) });
  const engine = createRecordEngine(realm, wire, place.family, nameScript);
  engine.inline = config.inline;
  // A module says so when it has run (`module_has_run` in `lib.rs`).
  defineProperty(global, '__xcheck_has_run__', { value: (/** @type {number} */ exchange) => engine.register('ran', exchange), configurable: true });
  const { watch } = installSources(realm, engine, place.answer, () => {});
  place.answer(realm, watch, null);
  sayLastWords(realm, wire, watch);
}
