/**
 * What observers look at. Nobody is told of what is looked at no more; but what the browser has brought waits here until the log
 * says that its turn has come, and by then the page may have looked away.
 */
import { append, apply, forWords, newWeakMap, splice } from '../natives.js';
import { createNearlySeen, OF_VIEW } from './nearly-seen.js';
import { OF_SIZES } from './sizes.js';

/**
 * @param {Pick<import('./realm.js').ReplayRealm, 'contains' | 'global'>} realm
 * @param {import('./waiting.js').Waiting} waiting
 * @param {boolean} own this is the browser that the log was recorded in, where nothing is nearly so
 */
export function createObserved(realm, waiting, own) {
  const nearly = own ? null : createNearlySeen(realm, waiting);
  /** Who is told by which observer. */
  const told = newWeakMap();
  /** Of which elements' sizes each has been told. @type {{entry: import('./engine.js').Entry, elements: any[], known: any}[]} */
  const seen = [];
  /** The same by who has been told. */
  const seenBy = newWeakMap();

  /**
   * @param {import('./engine.js').Entry} entry
   * @param {any[]} sizes
   */
  function remember(entry, sizes) {
    if (!seenBy.has(entry)) {
      seenBy.set(entry, { entry, elements: [], known: newWeakMap() });
      append(seen, seenBy.get(entry));
    }
    const { elements, known } = seenBy.get(entry);
    for (let i = 0; i < sizes.length; i += 1) {
      const { target } = sizes[i];
      if (!known.has(target)) {
        known.set(target, true);
        append(elements, target);
      }
    }
  }

  /**
   * @param {any} observer
   * @param {(entry: any) => boolean} stays
   */
  function keepOnly(observer, stays) {
    const { arrivals = [] } = told.get(observer) ?? {};
    for (let i = arrivals.length - 1; i >= 0; i -= 1) {
      const { given, count } = arrivals[i];
      if (count) {
        given[0] = those(given[0], stays);
        arrivals[i].count = given[0].length;
        if (given[0].length === 0) {
          splice(arrivals, i, 1);
        }
      }
    }
  }

  return {
    /**
     * The browser has brought something; says how much of it is new. An element has one size: of two, the later is what the page would have
     * been told.
     * @param {import('./engine.js').Entry} entry
     * @param {any} given
     */
    bring(entry, given) {
      told.set(given[1], entry);
      if (entry.identity === OF_SIZES) {
        remember(entry, given[0]);
        keepOnly(given[1], (before) => those(given[0], (now) => now.target === before.target).length === 0);
      } else if (nearly && entry.identity === OF_VIEW) {
        given[0] = nearly.brought(entry, given[0], given[1]);
      }
      return given[0].length;
    },

    /**
     * What an observer of what is in view would be told with a line more or less.
     * @param {import('./engine.js').Entry} entry
     * @param {number} count
     */
    ahead: async (entry, count) => (entry.identity === OF_VIEW ? nearly?.ahead(entry, count) : undefined),

    /**
     * Who is told of the size of an element, nearest first: who looks at itself; at what is in it; at what it is in.
     * @param {any} element
     */
    whoSees(element) {
      const relations = [(/** @type {any} */ other) => other === element, (/** @type {any} */ other) => realm.contains(element, other), (/** @type {any} */ other) => realm.contains(other, element)];
      /** @type {import('./engine.js').Entry[][]} */
      const found = [];
      for (let k = 0; k < relations.length; k += 1) {
        found[k] = [];
        for (let i = 0; i < seen.length; i += 1) {
          if (those(seen[i].elements, relations[k]).length > 0) {
            append(found[k], seen[i].entry);
          }
        }
      }
      return found;
    },

    /**
     * @param {import('../natives.js').Realm} realm
     * @param {import('../patch.js').Patcher} patch
     */
    install({ global }, patch) {
      forWords(['ResizeObserver unobserve disconnect', 'IntersectionObserver unobserve disconnect'], (owner, name) => {
        patch.method(global[owner]?.prototype, name, (original) => ({
          /** @param {any} [target] */
          [name](target) {
            const done = apply(original, this, arguments);
            const stays = (/** @type {any} */ other) => name === 'unobserve' && other !== target;
            keepOnly(this, (entry) => stays(entry.target));
            nearly?.keepOnly(this, stays);
            return done;
          },
        })[name]);
      });
    },
  };
}

/**
 * @param {any[]} entries
 * @param {(entry: any) => boolean} stays
 */
function those(entries, stays) {
  /** @type {any[]} */
  const found = [];
  for (let i = 0; i < entries.length; i += 1) {
    if (stays(entries[i])) {
      append(found, entries[i]);
    }
  }
  return found;
}
