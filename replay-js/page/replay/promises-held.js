/**
 * Promises that the page has of us: what stands behind each settles here when it likes, and the page's settles when the log says so.
 */
import { VISITOR } from '../callers.js';
import { onceDrawn } from './fullscreen.js';
import { createPieces } from './pieces.js';

/** @typedef {import('./engine.js').Entry} Entry */

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./waiting.js').Waiting} waiting
 * @param {object} parts
 * @param {(list: string, identity: any) => Entry} parts.register
 * @param {ReturnType<typeof import('./aborts.js').createAborts>} parts.aborts
 * @param {ReturnType<typeof import('./view-transitions.js').captureViewTransitions>} parts.transitions
 */
export function createPromisesHeld(realm, waiting, { register, aborts, transitions }) {
  const pieces = createPieces(realm);

  /**
   * @param {Entry} token
   * @param {Promise<any>} promise
   */
  function held(token, promise) {
    if (token.event === VISITOR) {
      return promise;
    }
    return new realm.Promise((/** @type {any} */ resolve, /** @type {any} */ reject) => {
      token.settle = { fulfilled: resolve, rejected: reject };
      const settled = (/** @type {string} */ outcome, /** @type {any} */ settle) => (/** @type {any} */ value) => {
        token.settled = { outcome, settle: () => settle(value) };
        waiting.changed();
      };
      realm.then(promise, settled('fulfilled', resolve), settled('rejected', reject));
    });
  }

  return {
    held,

    /**
     * @param {'fetch' | 'promise'} list
     * @param {any} identity
     * @param {() => Promise<any>} start
     * @param {any} [source]
     * @param {true} [told] the value is the log's
     */
    hold(list, identity, start, source, told) {
      const entry = register(list, identity);
      entry.told = told === true;
      entry.source = source;
      return held(entry, list === 'fetch' ? aborts.answered(start(), source) : transitions.promised(identity, onceDrawn(waiting, identity, start), source));
    },

    /**
     * A piece of a stream.
     * @param {string} api
     * @param {any} source
     * @param {() => Promise<any>} start
     */
    read(api, source, start) {
      const token = register('promise', api);
      if (token.event === VISITOR) {
        return start();
      }
      const asked = pieces.ask(source, start);
      /** @type {(size: number | undefined) => void} */
      let pull;
      const piece = new realm.Promise((/** @type {any} */ resolve) => {
        pull = (size) => resolve(pieces.take(asked, size, start));
      });
      token.pull = (size) => {
        token.pull = null;
        pull(size);
      };
      return held(token, piece);
    },
  };
}
