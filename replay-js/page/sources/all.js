/** Every source of non-determinism, installed in one window against an engine. */
import { createLocator } from '../locate.js';
import { createPatcher } from '../patch.js';
import { createWatch } from '../watch.js';
import { installClock } from './clock.js';
import { installDates } from './dates.js';
import { installDialogs } from './dialogs.js';
import { installDom } from './dom.js';
import { installErrors } from './errors.js';
import { installFrames } from './frames.js';
import { createHostWatcher, installObservers } from './hosts.js';
import { installNumbers } from './numbers.js';
import { installPromises } from './promises.js';
import { installTimers } from './timers.js';
import { installUnsupported } from './unsupported.js';
import { installXhr } from './xhr.js';

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../record/engine.js').Engine} engine
 */
export function installSources(realm, engine) {
  engine.addRealm(realm);
  const patch = createPatcher(realm.global);
  const watch = createWatch(realm, patch);
  installErrors(realm, engine, patch, watch);
  const xhr = installXhr(realm, engine, patch);
  const onHost = createHostWatcher(realm, engine, xhr.watch);
  installDom(realm, engine, patch, watch, onHost, createLocator(realm));
  installTimers(realm, engine, patch);
  installFrames(realm, engine, patch);
  installPromises(realm, engine, patch);
  installObservers(realm, engine, patch);
  installNumbers(realm, engine, patch);
  installDates(realm, engine, patch);
  installClock(realm, engine, patch);
  installDialogs(realm, engine, patch);
  installUnsupported(realm, engine, patch);
  return { patch, watch, xhr };
}
