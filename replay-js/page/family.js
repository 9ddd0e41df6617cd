/**
 * How documents of one origin that can reach each other share what must be one: the counter that orders their events,
 * and the numbers of windows. A document asks its parent or opener by a DOM event whose name only this session knows,
 * so nothing is left on any window.
 */
import { captureRealm, newWeakMap } from './natives.js';

/**
 * @typedef {object} Family
 * @property {number} order of the next event
 * @property {number} at the time of the last one
 * @property {number} windows how many popups have been seen
 * @property {WeakMap<object, number>} windowNumbers
 */

/**
 * A window that held a frame without a network before has our sources already; they make way for the document's own.
 * @param {any} global
 * @param {any} config
 * @returns {import('./natives.js').Realm | null} null where the document has its script already
 */
export function claimWindow(global, config) {
  const question = { __proto__: null, answer: /** @type {any} */ (null) };
  // Before the answer nothing else is called: sources that are still there would take it for something the page does.
  global.dispatchEvent(new global.CustomEvent(familyName(config), { detail: question }));
  if (question.answer?.release === null) {
    return null;
  }
  question.answer?.release();
  return captureRealm(global);
}

/** @param {any} config */
function familyName(config) {
  return 'xcheck-' + (config.session ?? 'family');
}

/**
 * @param {import('./natives.js').Realm} realm
 * @param {any} config
 */
export function joinFamily(realm, config) {
  const { global } = realm;
  const name = familyName(config);
  /** @type {{family: Family, load: number} | null} */
  const above = global.parent !== global ? ask(global.parent) : null;
  const opener = above === null && global.opener ? ask(global.opener) : null;
  const relative = above ?? opener;
  const family = relative?.family ?? { order: 0, at: 0, windows: 0, windowNumbers: newWeakMap() };

  /**
   * @param {any} other
   * @returns {any}
   */
  function ask(other) {
    const question = { __proto__: null, answer: null };
    try {
      realm.dispatchEvent(other, new realm.CustomEvent(name, { detail: question }));
    } catch {
      // Of another origin: it has an order of its own.
    }
    return question.answer;
  }

  function windowNumber() {
    const top = global.top;
    if (global.parent === global && opener !== null && !family.windowNumbers.has(global)) {
      family.windows += 1;
      family.windowNumbers.set(global, family.windows);
    }
    return family.windowNumbers.get(top) ?? 0;
  }

  /** Index of each frame within its parent, from the top. */
  function path() {
    /** @type {number[]} */
    const indices = [];
    for (let at = global; at !== at.parent; at = at.parent) {
      let index = 0;
      while (index < at.parent.length && at.parent[index] !== at) {
        index += 1;
      }
      indices[indices.length] = index;
    }
    /** @type {number[]} */
    const fromTop = [];
    for (let i = indices.length - 1; i >= 0; i -= 1) {
      fromTop[fromTop.length] = indices[i];
    }
    return fromTop;
  }

  return {
    family,
    parent: /** @type {number | undefined} */ (relative?.load),
    window: windowNumber(),
    path: path(),
    /**
     * Answers whoever asks a window of ours from now on: frames below, pop-ups, and a later document's own script.
     * @param {import('./natives.js').Realm} asked
     * @param {import('./watch.js').Watch} watch
     * @param {(() => void) | null} release takes our sources out of the window again
     */
    answer(asked, watch, release) {
      watch(asked.global, name, (event) => {
        realm.stopImmediatePropagation(event);
        event.detail.answer = { family, load: config.load, release };
      });
    },
  };
}
