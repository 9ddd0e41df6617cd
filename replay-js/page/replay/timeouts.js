/**
 * `AbortSignal.timeout`: the log says when its time is over.
 */
import { construct, getterOf, uncurry } from '../natives.js';
import { VISITOR } from '../callers.js';

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./engine.js').ReplayEngine} engine
 */
export function createTimeouts(realm, engine) {
  const nativeTimeout = uncurry(realm.global.AbortSignal.timeout);

  return {
    /**
     * Called after the sources, which would wait for the browser's own.
     * @param {import('../natives.js').Realm} ownRealm
     * @param {import('../patch.js').Patcher} patch
     * @param {string} message what this browser says of it
     */
    install({ global }, patch, message) {
      const { AbortController, DOMException } = global;
      const signalOf = getterOf(AbortController.prototype, 'signal');
      const abort = uncurry(AbortController.prototype.abort);
      patch.method(global.AbortSignal, 'timeout', () => ({
        timeout(/** @type {any} */ ms) {
          // It has to be a number of milliseconds, which the browser looks at.
          const native = nativeTimeout(global.AbortSignal, ms);
          const token = engine.register('host', 'AbortSignal');
          if (token.event === VISITOR) {
            return native;
          }
          const controller = construct(AbortController, []);
          token.run = () => abort(controller, construct(DOMException, [message, 'TimeoutError']));
          return signalOf(controller);
        },
      }).timeout);
    },
  };
}
