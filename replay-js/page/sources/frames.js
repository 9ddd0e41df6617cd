/** `requestAnimationFrame` and `requestIdleCallback`. */
import { apply, createObject, round } from '../natives.js';
import { createHandles } from './handles.js';

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../record/engine.js').Engine} engine
 * @param {import('../patch.js').Patcher} patch
 */
export function installFrames(realm, engine, patch) {
  const { global } = realm;
  const handles = createHandles();

  patch.method(global, 'requestAnimationFrame', (original) => ({
    requestAnimationFrame(/** @type {any} */ callback) {
      if (typeof callback !== 'function') {
        return apply(original, this, [callback]);
      }
      const token = engine.register('frame', engine.hashCallback(callback));
      const arm = (/** @type {any} */ fire) =>
        realm.requestAnimationFrame(global, (/** @type {number} */ time) => fire({ kind: 'frame', time: round(time * 1000) / 1000 }));
      return handles.add((id) => {
        const run = (/** @type {any} */ what) => {
          handles.over(id);
          callback(what.time);
        };
        return engine.schedule(token, arm, run, (handle) => realm.cancelAnimationFrame(global, handle));
      });
    },
  }).requestAnimationFrame);

  patch.method(global, 'cancelAnimationFrame', () => handles.cancel);
  installIdle(realm, engine, patch);
}

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../record/engine.js').Engine} engine
 * @param {import('../patch.js').Patcher} patch
 */
function installIdle(realm, engine, patch) {
  const { global } = realm;
  const { requestIdleCallback, cancelIdleCallback } = realm;
  if (!requestIdleCallback) {
    return;
  }
  const handles = createHandles();

  patch.method(global, 'requestIdleCallback', (original) => ({
    requestIdleCallback(/** @type {any} */ callback, /** @type {any} */ options) {
      if (typeof callback !== 'function') {
        return apply(original, this, [callback, options]);
      }
      const token = engine.register('idle', engine.hashCallback(callback));
      const arm = (/** @type {any} */ fire) =>
        requestIdleCallback(
          global,
          (/** @type {any} */ deadline) => fire({ kind: 'idle', remaining: deadline.timeRemaining(), timed_out: deadline.didTimeout }),
          options,
        );
      return handles.add((id) => {
        const run = (/** @type {any} */ what) => {
          handles.over(id);
          callback(virtualDeadline(global, what));
        };
        return engine.schedule(token, arm, run, (handle) => cancelIdleCallback(global, handle));
      });
    },
  }).requestIdleCallback);

  patch.method(global, 'cancelIdleCallback', () => handles.cancel);
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
