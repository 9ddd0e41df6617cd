/**
 * Requests that the page takes back. Here an answer comes at once, and whole, so that it is there before the page aborts;
 * where the recording's came later, what the page gets is the abort's reason all the same.
 */
import { getterOf, newWeakMap, objectTag } from '../natives.js';

/** @param {import('./realm.js').ReplayRealm} realm */
export function createAborts(realm) {
  const { prototype } = realm.global.AbortSignal;
  const aborted = getterOf(prototype, 'aborted');
  const reason = getterOf(prototype, 'reason');
  /** Of each response, the signal of its request. */
  const signals = newWeakMap();

  return {
    /**
     * @param {Promise<any>} response
     * @param {any} signal
     */
    answered(response, signal) {
      if (isSignal(signal)) {
        realm.then(
          response,
          (/** @type {any} */ answer) => signals.set(answer, signal),
          () => {},
        );
      }
      return response;
    },

    /**
     * @param {any} source a signal, or a response that is read
     * @returns {{reason: any} | null}
     */
    takenBack(source) {
      const signal = isSignal(source) ? source : signals.get(source);
      return signal && aborted(signal) ? { reason: reason(signal) } : null;
    },
  };

  /** @param {any} value */
  function isSignal(value) {
    return objectTag(value) === '[object AbortSignal]';
  }
}
