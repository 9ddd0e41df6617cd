/**
 * What the page asks for in another event than it did when it was recorded: libraries that ask which browser it is hear a mouse here and a
 * pointer there, or a key and the closing that comes of it, and set the same timer at either. Told as missing and as extra, they are the
 * same ones.
 */
import { append, newWeakMap, splice } from '../natives.js';
import { byOtherMeans } from './other-means.js';
import { pairsOf, takenOf } from './pairs.js';
import { LISTS, identityText } from './registrations.js';

export function createStrays() {
  /** @type {import('./engine.js').Entry[]} */
  const all = [];
  /** Those that stand for one of the log: intervals come again. @type {any} */
  const partners = { __proto__: null };

  return {
    /**
     * An event is over: keeps what the log has no partner for in it.
     * @param {import('./events.js').Current} event
     */
    closed(event) {
      const paired = newWeakMap();
      const others = byOtherMeans(event);
      for (let i = 0; i < others.length; i += 1) {
        paired.set(others[i].entry, true);
      }
      for (let i = 0; i < LISTS.length; i += 1) {
        const list = LISTS[i];
        const entries = event.registered[list] ?? [];
        const isTaken = entries.length > 0 ? takenOf(pairsOf(list, event)) : [];
        for (let k = 0; k < entries.length; k += 1) {
          if (!isTaken[k] && !paired.has(entries[k])) {
            append(all, entries[k]);
          }
        }
      }
    },

    /** Those that have not been run yet, and may be. */
    unclaimed() {
      for (let i = all.length - 1; i >= 0; i -= 1) {
        if (all[i].taken || !all[i].live) {
          splice(all, i, 1);
        }
      }
      return all;
    },

    /**
     * From now on it stands for one of the log. Whether it has not before.
     * @param {string} list
     * @param {number[]} of event and place in the log
     * @param {import('./engine.js').Entry} entry
     */
    claim(list, of, entry) {
      const key = keyOf(list, of);
      const isNew = partners[key] !== entry;
      entry.taken = true;
      partners[key] = entry;
      return isNew;
    },

    /**
     * What stands for an entry of the log that its own event does not have.
     * @param {string} list
     * @param {number[]} of event and place in the log
     * @param {string} name
     * @returns {{entry: import('./engine.js').Entry, isNew: boolean} | undefined}
     */
    find(list, of, name) {
      const key = keyOf(list, of);
      const known = partners[key];
      if (known?.live) {
        return { entry: known, isNew: false };
      }
      for (let i = 0; i < all.length; i += 1) {
        const entry = all[i];
        if (entry.list === list && !entry.taken && entry.live && identityText(list, entry.identity) === name) {
          entry.taken = true;
          partners[key] = entry;
          return { entry, isNew: true };
        }
      }
      return undefined;
    },
  };
}

/**
 * @param {string} list
 * @param {number[]} of
 */
function keyOf(list, of) {
  return list + ' ' + of[0] + '.' + of[1];
}

/** @typedef {ReturnType<typeof createStrays>} Strays */
