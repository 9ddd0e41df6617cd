/** `performance.mark` and `measure`: the log does not have their times, which are those of the event they are called in. */
import { apply } from '../natives.js';

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('./engine.js').ReplayEngine} engine
 * @param {import('../patch.js').Patcher} patch
 */
export function installUserTiming({ global }, engine, patch) {
  const now = () => engine.virtualTime.value('now', undefined, 0);
  const { prototype } = global.Performance;

  patch.method(prototype, 'mark', (original) => ({
    mark(/** @type {any} */ name, /** @type {any} */ options) {
      const isTimed = options?.startTime !== undefined;
      return engine.isVisited() || isTimed ? apply(original, this, arguments) : apply(original, this, [name, { ...options, startTime: now() }]);
    },
  }).mark);

  patch.method(prototype, 'measure', (original) => ({
    measure(/** @type {any} */ name, /** @type {any} */ from, /** @type {any} */ to) {
      if (engine.isVisited() || to !== undefined) {
        return apply(original, this, arguments);
      }
      const options = typeof from === 'object' && from !== null ? { ...from } : from === undefined || from === null ? {} : { start: from };
      const isOver = options.end !== undefined || (options.start !== undefined && options.duration !== undefined);
      return apply(original, this, [name, isOver ? options : { ...options, end: now() }]);
    },
  }).measure);
}
