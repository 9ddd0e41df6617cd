/**
 * What has the focus and is shown no more. Chromium takes the focus from it with its next frame; a page that closes what it
 * stands in and gives the focus to something else before that does so itself. Frames of a replay pass elsewhere: what the browser takes away
 * between is still there for the page, until it takes it away itself or the log says that it was.
 */
import { apply, defineProperty, forWords, uncurry } from '../natives.js';
import { dispatchAgain } from './dispatched-again.js';

/** What an element tells that loses the focus, in this order. */
const OF_LOSS = ['loss change blur focusout'];

/** @param {import('./realm.js').ReplayRealm} realm */
export function createOutOfSight(realm) {
  const focus = uncurry(realm.global.HTMLElement.prototype.focus);
  /** What the browser has said of it. @type {import('./held-events.js').HeldEvents | null} */
  let held = null;
  /** What has the focus, as far as the page knows. @type {any} */
  let kept = null;
  let isRegained = false;
  const { MutationObserver } = realm.global;
  const observe = uncurry(MutationObserver.prototype.observe);
  const disconnect = uncurry(MutationObserver.prototype.disconnect);
  const removals = new MutationObserver(() => {
    if (current() && !kept.isConnected) {
      lose(null);
    }
  });

  /** @param {any} target */
  const isKept = (target) => target === kept;

  /** What has the focus still: the page has not been told that it lost it. */
  function current() {
    if (kept && !held?.has('blur', isKept) && !held?.has('focusout', isKept)) {
      letGo();
    }
    return kept;
  }

  function letGo() {
    kept = null;
    disconnect(removals);
  }

  /**
   * It loses the focus to another element, or to none.
   * @param {any} other
   */
  function lose(other) {
    const element = kept;
    letGo();
    forWords(OF_LOSS, (_list, type) => {
      const loss = element && held?.take(type, (target) => target === element);
      if (loss) {
        defineProperty(loss.event, 'relatedTarget', { value: other, configurable: true });
        dispatchAgain(realm, loss.event, element);
      }
    });
  }

  /** The browser gives it back, which is no news to anybody. */
  function regain() {
    const element = kept;
    letGo();
    forWords(OF_LOSS, (_list, type) => held?.take(type, (target) => target === element));
    isRegained = true;
    focus(element, { __proto__: null, preventScroll: true });
    isRegained = false;
  }

  return {
    /** @param {import('./held-events.js').HeldEvents} list */
    keepIn(list) {
      held = list;
    },

    /** Whether the browser gives back what the page never lost. */
    isUntold: () => isRegained,

    /**
     * Whether the browser has taken the focus from what is shown no more: the page is told when the log says so.
     * @param {any} event
     * @param {string} type
     * @param {any} target
     */
    takes(event, type, target) {
      const isOfLoss = type === 'blur' || type === 'focusout' || (type === 'change' && realm.isField(target));
      if (!isOfLoss || event.relatedTarget || target.nodeType !== 1 || realm.isShown(target)) {
        return false;
      }
      kept = target;
      // What is taken out with the focus loses it as it goes.
      for (let root = target.getRootNode(); root; root = root.host?.getRootNode()) {
        observe(removals, root, { __proto__: null, childList: true, subtree: true });
      }
      if (held?.has(type, isKept)) {
        realm.stopImmediatePropagation(event);
      } else {
        held?.hold(event, type, target);
      }
      return true;
    },

    /** Something is to be done: what is shown again by now has the focus still. */
    look() {
      if (current()?.isConnected && realm.isShown(kept) && realm.focused() === kept) {
        regain();
      }
    },

    /**
     * @param {import('../natives.js').Realm} own
     * @param {import('../patch.js').Patcher} patch
     */
    install({ global }, patch) {
      patch.accessor(global.Document.prototype, 'activeElement', (get) => ({
        get activeElement() {
          const active = apply(get, this, []);
          const isKeptHere = current()?.ownerDocument === this && kept.isConnected && (active === null || active === /** @type {any} */ (this).body);
          return isKeptHere ? kept : active;
        },
      }));
      forWords(['HTMLElement focus blur', 'SVGElement focus'], (owner, name) => {
        patch.method(global[owner]?.prototype, name, (original) => ({
          [name]() {
            const isItself = current() === this;
            if (isItself && name === 'focus' && realm.isShown(this)) {
              regain();
            } else if (kept && (name === 'focus' ? !isItself && realm.isShown(this) : isItself)) {
              lose(name === 'focus' ? this : null);
            }
            return apply(original, this, arguments);
          },
        })[name]);
      });
    },
  };
}

/** @typedef {ReturnType<typeof createOutOfSight>} OutOfSight */
