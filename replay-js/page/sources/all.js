/** Every source of non-determinism, installed in one window against an engine. */
import { createLocator } from '../locate.js';
import { createPatcher } from '../patch.js';
import { installAnswers } from './answers.js';
import { installChildren } from './children.js';
import { installClock } from './clock.js';
import { installDates } from './dates.js';
import { installDialogs } from './dialogs.js';
import { installDom } from './dom.js';
import { installErrors } from './errors.js';
import { createHands } from './hands.js';
import { createHostWatcher, installObservers } from './hosts.js';
import { installMessages } from './messages.js';
import { installNumbers } from './numbers.js';
import { installPromises } from './promises.js';
import { installReferences } from './references.js';
import { installStreams } from './streams.js';
import { installTimers } from './timers.js';
import { installUnsupported } from './unsupported.js';
import { installWorkers } from './workers.js';
import { installXhr } from './xhr.js';
import { createWatch } from '../watch.js';

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../record/engine.js').Engine} engine
 * @param {(realm: import('../natives.js').Realm, watch: import('../watch.js').Watch, release: () => void) => void} answer
 *   called for each frame without a network, so that a script which comes with a later document finds us there
 * @param {(xhr: ReturnType<typeof installXhr>, hosts: ReturnType<typeof createHostWatcher>, realm: import('../natives.js').Realm, patch: import('../patch.js').Patcher) => void} onRequests
 * @param {() => string} above path of the frame this window is in, see `createLocator`
 * @param {ReturnType<typeof createHands>} hands what is pressed in one document lets go, or moves the focus, in another
 */
export function installSources(realm, engine, answer, onRequests, above = atTop, hands = createHands(realm)) {
  realm.above = above;
  engine.addRealm(realm);
  const locate = createLocator(realm, above);
  const patch = createPatcher(realm.global);
  const { watch, unwatch } = createWatch(realm, patch);
  installErrors(realm, engine, patch, watch);
  const xhr = installXhr(realm, engine, patch);
  const hosts = createHostWatcher(realm, engine, patch, xhr.watch);
  installDom(realm, engine, patch, watch, hosts.onHost, locate, above === atTop, hands);
  installTimers(realm, engine, patch);
  installPromises(realm, engine, patch);
  installStreams(realm, engine, patch);
  installObservers(realm, engine, patch);
  installMessages(realm, engine, patch);
  installNumbers(realm, engine, patch);
  installDates(realm, engine, patch);
  installClock(realm, engine, patch);
  installDialogs(realm, engine, patch);
  installAnswers(realm, engine, patch);
  installReferences(patch);
  installUnsupported(realm, engine, patch);
  installWorkers(realm, engine, patch);
  onRequests(xhr, hosts, realm, patch);
  const children = installChildren(realm, engine, patch, (child, frame) => {
    const made = installSources(child, engine, answer, onRequests, () => (frame ? locate(frame).path : ''), hands);
    answer(child, made.watch, made.release);
  });
  watchParsing(realm, children.lookForNew);

  /** A document with a network comes into the window, with sources of its own. */
  function release() {
    patch.restore();
    unwatch();
    engine.removeRealm(realm);
  }

  return { patch, watch, release };
}

/** The document is the load itself. */
const atTop = () => '';

/**
 * While the parser makes the document, frames come without a call of the page's.
 * @param {import('../natives.js').Realm} realm
 * @param {() => void} look
 */
function watchParsing(realm, look) {
  const { global } = realm;
  if (realm.readyState(global.document) === 'loading') {
    const observer = new global.MutationObserver(look);
    observer.observe(global.document, { childList: true, subtree: true });
    realm.addEventListener(global, 'DOMContentLoaded', () => observer.disconnect(), true);
  }
}
