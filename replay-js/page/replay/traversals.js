/**
 * Going back and forth within a document. What the page does by `history.back()` comes by itself; what the person did by
 * the browser's buttons or its address is in the log only by the `popstate` or `hashchange` that came of it, and is done
 * here. No engine says where in the history an address is, so the entries that this document made are counted along.
 */
import { includes } from '../more-natives.js';
import { append, apply, forWords, indexOf, slice, splice } from '../natives.js';

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('../patch.js').Patcher} patch
 */
export function createTraversals(realm, patch) {
  const { global } = realm;
  const { history } = global;
  const { History } = global;
  const go = history.go;
  /** @type {string[]} addresses, as far as this document knows them */
  const entries = [here()];
  let index = 0;
  /** What was before this document in the history may be a part of the same page: it is here anew, or again. */
  const isNew = global.performance.getEntriesByType('navigation')[0]?.type === 'navigate';
  /** Steps that the page has asked for, and that have not come yet. */
  let underWay = 0;

  function here() {
    return global.location.href;
  }

  const asksForStep = (/** @type {string} */ owner, /** @type {string} */ name) =>
    patch.method(global[owner]?.prototype, name, (original) => ({
      step() {
        underWay += 1;
        return apply(original, this, arguments);
      },
    }).step);
  forWords(['History go back forward', 'Navigation back forward traverseTo'], asksForStep);

  patch.method(History.prototype, 'pushState', (original) => ({
    pushState() {
      apply(original, this, arguments);
      pushed();
    },
  }).pushState);
  patch.method(History.prototype, 'replaceState', (original) => ({
    replaceState() {
      apply(original, this, arguments);
      entries[index] = here();
    },
  }).replaceState);

  function pushed() {
    index += 1;
    splice(entries, index, entries.length);
    append(entries, here());
  }

  /**
   * The nearest entry with this address, backwards first, or 0.
   * @param {string} url
   */
  function knownStepTo(url) {
    for (let distance = 1; distance <= entries.length; distance += 1) {
      if (entries[index - distance] === url) {
        return -distance;
      }
      if (entries[index + distance] === url) {
        return distance;
      }
    }
    return 0;
  }

  /**
   * Another part of this page, and not where a step back could lead to: its address was entered.
   * @param {string} url
   */
  function isEntered(url) {
    const part = indexOf(url, '#');
    return part >= 0 && slice(url, 0, part) === withoutPart(here()) && (index > 0 || isNew);
  }

  return {
    /** The browser's `popstate` came: of a step, or of a link to a part of the document. */
    came() {
      underWay = underWay > 0 ? underWay - 1 : 0;
      const url = here();
      if (url !== entries[index]) {
        const step = knownStepTo(url);
        if (step !== 0) {
          index += step;
        } else {
          pushed();
        }
      }
    },
    /**
     * Whether nothing that was begun leads to this address.
     * @param {string} url
     */
    isNeeded: (url) => underWay === 0 && url !== here(),
    /**
     * Whether the page was there before, and nothing that was begun leads back.
     * @param {string} url
     */
    isBehind: (url) => underWay === 0 && url !== here() && includes(entries, url),
    /** @param {string} url */
    make(url) {
      const step = knownStepTo(url);
      underWay += 1;
      if (step === 0 && isEntered(url)) {
        global.location.href = url;
      } else {
        // A step back is what a document that began in the middle of a history cannot know.
        apply(go, history, [step || -1]);
      }
    },
  };
}

/** @param {string} url */
function withoutPart(url) {
  const part = indexOf(url, '#');
  return part < 0 ? url : slice(url, 0, part);
}

/** @typedef {ReturnType<typeof createTraversals>} Traversals */
