/** What the browser calls back later: `setTimeout`, `setInterval`, `requestAnimationFrame` and `requestIdleCallback`. */
import { apply, createObject, round, toNumber } from '../natives.js';
import { sliceArguments } from './arguments.js';
import { createHandles } from './handles.js';

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../record/engine.js').Engine} engine
 * @param {import('../patch.js').Patcher} patch
 */
export function installTimers(realm, engine, patch) {
  const { global } = realm;

  /**
   * @param {string} kind
   * @param {string[]} names what asks and what takes back, by turns; all share their numbers
   * @param {(told: any) => any} log what is logged of what the browser tells
   * @param {(callback: any, logged: any, given: any[]) => void} call
   */
  function install(kind, names, log, call) {
    const handles = createHandles();
    for (let at = 0; at < names.length; at += 2) {
      const repeat = names[at] === 'setInterval' || undefined;
      const stop = global[names[at + 1]];
      patch.method(global, names[at], (original) => ({
        later(/** @type {any[]} */ ...given) {
          let callback = given[0];
          const isFunction = typeof callback === 'function';
          if (!isFunction && (kind !== 'timer' || given.length === 0)) {
            return apply(original, this, given);
          }
          if (!isFunction) {
            // Converted once, as the browser would; a Symbol throws here as it does there.
            callback = '' + callback;
          }
          const hash = engine.hashCallback(callback);
          const token = engine.register(kind, kind === 'timer' ? { callback: hash, delay: toNumber(given[1]) || 0, repeat } : hash);
          const arm = (/** @type {any} */ fire) => apply(original, this, [(/** @type {any} */ told) => fire({ kind, ...log(told) }), given[1]]);
          return handles.add((id) => {
            const run = (/** @type {any} */ what) => {
              if (!repeat) {
                handles.over(id);
              }
              if (isFunction) {
                call(callback, what, given);
              } else {
                apply(realm.eval, global, [callback]);
              }
            };
            return engine.schedule(token, arm, run, (handle) => apply(stop, global, [handle]));
          });
        },
      }).later);
      patch.method(global, names[at + 1], () => (/** @type {any} */ id) => handles.cancel(id));
    }
  }

  install(
    'timer',
    ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    () => {},
    (callback, _timer, given) => apply(callback, global, sliceArguments(given, 2)),
  );
  install(
    'frame',
    ['requestAnimationFrame', 'cancelAnimationFrame', 'webkitRequestAnimationFrame', 'webkitCancelAnimationFrame'],
    (time) => ({ time: round(time * 1000) / 1000 }),
    (callback, frame) => callback(frame.time),
  );
  install(
    'idle',
    ['requestIdleCallback', 'cancelIdleCallback'],
    (deadline) => ({ remaining: deadline.timeRemaining(), timed_out: deadline.didTimeout }),
    (callback, idle) => callback(virtualDeadline(global, idle)),
  );
}

/**
 * What the callback is told does not run down while it works, so that it does the same amount of work again.
 * @param {any} global
 * @param {any} what
 */
function virtualDeadline(global, what) {
  let left = what.remaining;
  const members = {
    didTimeout: { __proto__: null, value: what.timed_out, enumerable: true },
    timeRemaining: {
      __proto__: null,
      value: () => {
        const now = left;
        left = left > 1 ? left - 1 : 0;
        return now;
      },
      enumerable: true,
    },
  };
  return createObject(global.IdleDeadline?.prototype ?? null, /** @type {PropertyDescriptorMap} */ (members));
}
