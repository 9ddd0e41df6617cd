/** `document.readyState` as the log has it, while the browser's own is ahead. */
import { apply } from '../natives.js';
import { isLoadOfWindow } from './log.js';

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../patch.js').Patcher} patch
 * @param {import('./parsing.js').Parsing} parsing
 */
export function createReadyState(realm, patch, parsing) {
  let state = 'loading';
  patch.accessor(realm.global.Document.prototype, 'readyState', (get) => ({
    get readyState() {
      return this === realm.document ? state : apply(get, this, []);
    },
  }));

  return {
    /**
     * Whether this is one of the document's own load events, which are always held.
     * @param {string} type
     * @param {any} target
     */
    native(type, target) {
      if (type === 'DOMContentLoaded') {
        parsing.finished();
      } else if (type === 'readystatechange') {
        parsing.interactive();
      }
      // `load` of the window says the document is its target; its path begins at the window.
      const own = type === 'load' ? realm.global : realm.document;
      return target === own && (type === 'readystatechange' || type === 'DOMContentLoaded' || type === 'load');
    },
    /**
     * The parser is through, and all that the log has before that has run: deferred scripts and modules come next, which nobody can hold,
     * and many of them ask whether they still have to wait for `DOMContentLoaded`.
     * @param {string} type
     * @param {import('./log.js').Logged} next
     */
    isDue(type, next) {
      const { kind, type: logged, data } = next.what;
      return type === 'readystatechange' && kind === 'dom' && logged === type && data?.state === 'interactive' && realm.readyState(realm.document) === 'interactive';
    },
    /** @param {any} what */
    reached(what) {
      if (what.type === 'readystatechange' && what.data?.state) {
        state = what.data.state;
      } else if (what.type === 'DOMContentLoaded' && state === 'loading') {
        state = 'interactive';
      } else if (isLoadOfWindow(what)) {
        state = 'complete';
      }
    },
  };
}

/** @typedef {ReturnType<typeof createReadyState>} ReadyState */
