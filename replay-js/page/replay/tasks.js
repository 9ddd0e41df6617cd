/**
 * Tasks with a priority run when the log says so: the time that the page lets them wait is none that a replay has to wait for. One that can
 * be called off meanwhile keeps it, so that it is.
 */
import { apply } from '../natives.js';

/**
 * Called after the sources, which wait for the browser's own.
 * @param {import('../natives.js').Realm} realm
 * @param {import('../patch.js').Patcher} patch
 */
export function installTasks({ global }, patch) {
  patch.method(global.Scheduler?.prototype, 'postTask', (original) => ({
    postTask(/** @type {any} */ callback, /** @type {any} */ options) {
      const waits = options?.delay > 0 && options.signal === undefined;
      return apply(original, this, waits ? [callback, { priority: options.priority }] : arguments);
    },
  }).postTask);
}
