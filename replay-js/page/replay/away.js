/**
 * Where a person works at first. A window that has been opened may have no focus until it is used, as that of a browser which a test
 * drives: the page knows (`document.hasFocus()`), and what it gives the focus to is told so when the window has it. A replay's windows have
 * it from the beginning.
 */
import { apply, newWeakMap } from '../natives.js';
import { movesFocus } from './native-events.js';

/** @param {import('./log.js').Log} log */
export function createAway(log) {
  // A window that loses the focus first has had it.
  const first = log.next(({ what }) => what.kind === 'dom' && movesFocus(what.type) && what.target.object !== 'node' && !what.target.path);
  const comes = first?.what.type === 'focus' ? first : undefined;
  const isAway = () => comes?.done === false;
  /** What has got the focus meanwhile. */
  const untold = newWeakMap();

  return {
    /**
     * Whether the page is told of this later, or never: it has given the focus to something by itself.
     * @param {any} event
     * @param {string} type
     * @param {any} target
     */
    isUntold(event, type, target) {
      const isOfIt = isAway() && movesFocus(type) && event.isTrusted;
      if (isOfIt) {
        untold.set(target, true);
      }
      return isOfIt;
    },

    /** Whether it has the focus, and nobody was told. @param {any} target */
    owes: (target) => untold.delete(target),

    /**
     * @param {any} global
     * @param {import('../patch.js').Patcher} patch
     */
    install({ Document }, patch) {
      patch.method(Document.prototype, 'hasFocus', (original) => ({
        hasFocus() {
          return apply(original, this, arguments) && !isAway();
        },
      }).hasFocus);
    },
  };
}

/** @typedef {ReturnType<typeof createAway>} Away */
