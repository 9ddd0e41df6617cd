/**
 * View transitions rest, as other animations do: each is skipped as it begins, in every engine. While the browser takes its
 * pictures of what was it paints nothing, answers no look and waits for no more than some seconds, and how far it has
 * come by a look is up to the clock. What the page is told keeps its order: the update is called when the log says so.
 *
 * Skipping refuses `ready`. So that is the update's own outcome, which it waits for, unless the log says that it was refused:
 * by another transition, by the page, or for the names that it gave. Nobody may have asked for it, and handled that.
 */
import { max } from '../more-natives.js';
import { apply, getterOf, indexOf, objectTag, slice, uncurry } from '../natives.js';

const READY = 'ViewTransition.ready';
/** Why a browser gives a transition up. */
const REASONS = { __proto__: null, AbortError: true, InvalidStateError: true, TimeoutError: true };
/** What the browser calls and waits for: the update of a transition, what is done while a lock is held, and a task with a priority. */
const WAITED_FOR = { __proto__: null, 'Document.startViewTransition': true, 'Element.startViewTransition': true, 'LockManager.request': true, 'Scheduler.postTask': true };

/** @param {import('../natives.js').Realm} realm whose functions nobody has replaced yet */
export function captureViewTransitions(realm) {
  const { global, then } = realm;
  const { DOMException } = global;
  const prototype = global.ViewTransition?.prototype;
  const skip = prototype && uncurry(prototype.skipTransition);
  const ready = prototype && getterOf(prototype, 'ready');
  const updated = prototype && getterOf(prototype, 'updateCallbackDone');
  /** How many the page has not asked for `ready`. */
  let unasked = 0;

  return {
    /** @param {any} transition */
    skip(transition) {
      if (objectTag(transition) === '[object ViewTransition]') {
        skip(transition);
        unasked += 1;
        // Refused by us, and no affair of whoever listens for refusals that nobody handles.
        then(ready(transition), () => {}, () => {});
      }
      return transition;
    },

    /**
     * The browser waits for what is returned, and so it waits for its turn, too.
     * @param {any} identity of who is called
     * @param {(self: any, given: any) => any} deliver
     * @param {(deliver: (self: any, given: any) => any) => void} keep
     */
    answered(identity, deliver, keep) {
      if (!WAITED_FOR[/** @type {'Document.startViewTransition'} */ (identity)]) {
        return keep(deliver);
      }
      return new realm.Promise((/** @type {any} */ resolve, /** @type {any} */ reject) => {
        keep((self, given) => {
          try {
            resolve(deliver(self, given));
          } catch (error) {
            // No error of the page's window: the browser refuses promises of its own.
            reject(error);
          }
        });
      });
    },

    /**
     * @param {any} identity
     * @param {Promise<any>} promise
     * @param {any} source
     */
    promised(identity, promise, source) {
      if (identity !== READY) {
        return promise;
      }
      unasked -= 1;
      return updated(source);
    },

    /**
     * What the log says was refused need not be waited for.
     * @param {any} identity
     * @returns {{reason: any} | null}
     */
    skipped: (identity) => (identity === READY ? { reason: new DOMException('Transition was skipped', 'AbortError') } : null),

    /**
     * The log has a refusal that nobody handled.
     * @param {string} message
     */
    refuse(message) {
      const end = indexOf(message, ': ');
      const name = slice(message, 0, max(end, 0));
      if (unasked > 0 && REASONS[/** @type {'AbortError'} */ (name)]) {
        unasked -= 1;
        new realm.Promise((/** @type {any} */ _resolve, /** @type {any} */ reject) => reject(new DOMException(slice(message, end + 2), name)));
      }
    },
  };
}

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../patch.js').Patcher} patch
 * @param {ReturnType<typeof captureViewTransitions>} transitions
 */
export function installViewTransitions({ global }, patch, transitions) {
  const owners = [global.Document.prototype, global.Element.prototype];
  for (let i = 0; i < owners.length; i += 1) {
    patch.method(owners[i], 'startViewTransition', (original) => ({
      startViewTransition() {
        return transitions.skip(apply(original, this, arguments));
      },
    }).startViewTransition);
  }
}
