/**
 * The live page's entry: it runs by itself and is recorded, and can be driven and questioned from outside, by whoever
 * explores an application or disturbs it. Nothing is held and no log is followed.
 *
 * Beside the recorder's, the config has `log: false` where no trace is written, `not_fired`: timers that never fire, by
 * the hash of their callback's source and, where given, which of its registrations in this document, and `ahead`: by how many
 * milliseconds its clock is.
 */
import { openChannel, sayGoodbyeAtTheEnd } from './channel.js';
import { captureDom } from './collect/dom.js';
import { claimWindow, joinFamily } from './family.js';
import { hello } from './hello.js';
import { createActivity } from './live/activity.js';
import { createAim } from './live/aim.js';
import { createCandidates } from './live/candidates.js';
import { watchChanges } from './live/changes.js';
import { createCovers } from './live/covers.js';
import { changeField } from './live/fields.js';
import { createLiveEngine } from './live/engine.js';
import { createListeners } from './live/listeners.js';
import { createQuiet } from './live/quiet.js';
import { createSilentWire } from './live/silent-wire.js';
import { createView } from './live/view.js';
import { createLocator } from './locate.js';
import { parseJson } from './natives.js';
import { createPatcher } from './patch.js';
import { createRecordEngine } from './record/engine.js';
import { sayLastWords } from './record/last-words.js';
import { createWire } from './record/wire.js';
import { createPageData } from './replay/page-data.js';
import { captureReplayRealm } from './replay/realm.js';
import { createTargets } from './replay/targets.js';
import { installSources } from './sources/all.js';
import { nameScript } from './sources/scripts.js';

/**
 * @param {any} global
 * @param {string} configText
 */
export function startLive(global, configText) {
  const config = parseJson(configText);
  const claimed = claimWindow(global, config);
  global.document.currentScript?.remove();
  if (claimed === null) {
    return;
  }
  const realm = captureReplayRealm(claimed);
  sayGoodbyeAtTheEnd(realm, config.endpoint);
  const place = joinFamily(realm, config);
  const greeting = hello(realm, config, place);
  const wire = config.log === false ? createSilentWire(realm, config.endpoint) : createWire(realm, config.endpoint, config.sockets);
  wire.send({ hello: greeting });

  const activity = createActivity(realm);
  const recording = createRecordEngine(realm, wire, place.family, nameScript);
  const engine = createLiveEngine(realm, recording, activity, {
    notFired: config.not_fired ?? [],
    ahead: config.ahead ?? 0,
    say: (message) => channel.say(message),
  });
  // These capture what the sources are about to replace.
  const targets = createTargets(realm);
  const view = createView(realm);
  const pageData = createPageData(realm, config.load, place.path);
  const changes = watchChanges(realm, activity, engine, pageData.watch);
  const quiet = createQuiet(realm, activity, changes);
  const aiming = createAim(realm, targets, view);
  const locate = createLocator(realm, () => '');
  const listeners = createListeners();
  const candidates = createCandidates(realm, listeners, view, captureDom(global), pageData.watch.shadowOf, createCovers(realm, view, targets.name));
  listeners.install(global, createPatcher(global));

  engine.inline = config.inline;
  const installed = installSources(realm, /** @type {any} */ (engine), place.answer, (xhr) => {
    xhr.onSent((/** @type {any} */ _request, token) => activity.begin(token, token.identity.method + ' ' + token.identity.url));
  });
  place.answer(realm, installed.watch, null);
  pageData.watch.install(global, installed.patch);
  sayLastWords(realm, wire, installed.watch);

  const channel = openChannel(realm, config.endpoint, { hello: greeting }, {
    __proto__: null,
    aim: aiming.aim,
    quiet: quiet.wait,
    candidates: candidates.list,
    /** @param {any} command */
    change: (command) => changeField(realm, /** @type {any} */ (engine), locate, aiming.find(command).element, command),
    /** @param {{index: number}} command */
    frame: ({ index }) => pageData.frameOffset(index),
    /** @param {{whole: boolean, contents?: boolean}} command */
    async collect({ whole, contents }) {
      // Awaited: a promise that is returned is asked for its `then`, which may be the page's.
      return await pageData.collect(whole, () => {}, contents);
    },
  });
}
