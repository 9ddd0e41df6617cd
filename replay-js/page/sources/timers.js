/** `setTimeout` and `setInterval`. */
import { apply, toNumber } from '../natives.js';
import { sliceArguments } from './arguments.js';
import { createHandles } from './handles.js';

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../record/engine.js').Engine} engine
 * @param {import('../patch.js').Patcher} patch
 */
export function installTimers(realm, engine, patch) {
  const { global } = realm;
  const handles = createHandles();

  /**
   * @param {string} kind as the browser's functions are called
   * @param {boolean} [repeat]
   */
  function install(kind, repeat) {
    /** @type {any} */
    const { ['set' + kind]: native, ['clear' + kind]: nativeClear } = realm;
    const begin = (/** @type {any[]} */ given) => {
      let callback = given[0];
      if (typeof callback !== 'function') {
        // Converted once, as the browser would; a Symbol throws here as it does there.
        callback = '' + callback;
      }
      const delay = toNumber(given[1]) || 0;
      const token = engine.register('timer', { callback: engine.hashCallback(callback), delay, repeat });
      const arm = (/** @type {any} */ fire) => native(global, () => fire({ kind: 'timer' }), given[1]);
      return handles.add((id) => {
        const run = () => {
          if (!repeat) {
            handles.over(id);
          }
          if (typeof callback === 'function') {
            apply(callback, global, sliceArguments(given, 2));
          } else {
            apply(realm.eval, global, [callback]);
          }
        };
        return engine.schedule(token, arm, run, (handle) => nativeClear(global, handle));
      });
    };
    patch.method(global, 'set' + kind, (original) => ({
      set(/** @type {any[]} */ ...given) {
        return given.length === 0 ? apply(original, this, given) : begin(given);
      },
    }).set);
    patch.method(global, 'clear' + kind, () => (/** @type {any} */ id) => handles.cancel(id));
  }

  install('Timeout');
  install('Interval', true);
}
