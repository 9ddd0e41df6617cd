/**
 * What the page says to others: a server, workers, other documents. Known by its hash, so that a replay sees where
 * something else is said. Windows are not here: a function of ours between page and browser would be taken for the sender.
 */
import { apply } from '../natives.js';
import { messageHash } from './identity.js';

const SPEAKERS = ['WebSocket', 'Worker', 'MessagePort', 'BroadcastChannel', 'ServiceWorker'];

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../record/engine.js').Engine} engine
 * @param {import('../patch.js').Patcher} patch
 */
export function installMessages(realm, engine, patch) {
  for (let i = 0; i < SPEAKERS.length; i += 1) {
    const name = SPEAKERS[i];
    patch.method(realm.global[name]?.prototype, i > 0 ? 'postMessage' : 'send', (original) => ({
      say(/** @type {any} */ message) {
        engine.register('message', name + ' ' + messageHash(message));
        return apply(original, this, arguments);
      },
    }).say);
  }
}
