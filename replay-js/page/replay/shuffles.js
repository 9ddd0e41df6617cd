/**
 * Lists that a page shuffles by `sort(() => Math.random() - 0.5)`. What a sort compares, and how often, is each engine's own, so that
 * the same random numbers put a list in another order in each. Of a recording by V8 other engines sort such lists as V8 does; all
 * other lists are the engine's, whose order may well be what a page is wrong about.
 */
import { append, apply, isArray, toNumber } from '../natives.js';

/** Longer lists V8 cuts into runs and merges, which is not done here. */
const LONGEST = 63;

/** Shorter ones are not looked at for a run at their beginning. */
const SHORTEST_WITH_RUNS = 16;

/** Ends the engine's own sort at the first comparison by chance. */
const BY_CHANCE = { __proto__: null };

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('./engine.js').ReplayEngine} engine
 * @param {import('../patch.js').Patcher} patch
 */
export function installShuffles({ global }, engine, patch) {
  if ('v8BreakIterator' in global.Intl) {
    return;
  }
  patch.method(global.Array.prototype, 'sort', (original) => ({
    sort(/** @type {any} */ compare) {
      const list = typeof compare === 'function' ? sortable(this) : null;
      if (list === null) {
        return apply(original, this, arguments);
      }
      const ordered = (/** @type {any} */ a, /** @type {any} */ b) => apply(compare, undefined, [a, b]);
      const drawn = engine.drawn();
      let isFirst = true;
      try {
        return apply(original, this, [
          (/** @type {any} */ a, /** @type {any} */ b) => {
            const answer = ordered(a, b);
            if (isFirst && engine.drawn() > drawn) {
              throw BY_CHANCE;
            }
            isFirst = false;
            return answer;
          },
        ]);
      } catch (error) {
        if (error !== BY_CHANCE) {
          throw error;
        }
      }
      engine.drawAgain(drawn);
      sortAsRecorded(list, ordered);
      const sorted = /** @type {any} */ (this);
      for (let i = 0; i < list.length; i += 1) {
        sorted[i] = list[i];
      }
      return sorted;
    },
  }).sort);
}

/**
 * A copy of what is sorted here: an array without holes.
 * @param {any} list
 */
function sortable(list) {
  if (!isArray(list) || list.length < 2 || list.length > LONGEST) {
    return null;
  }
  /** @type {any[]} */
  const copy = [];
  for (let i = 0; i < list.length; i += 1) {
    if (list[i] === undefined) {
      return null;
    }
    append(copy, list[i]);
  }
  return copy;
}

/**
 * As V8 does it: the run at the beginning, and each further one put in its place by halves.
 * @param {any[]} list
 * @param {(a: any, b: any) => any} compare
 */
export function sortAsRecorded(list, compare) {
  const isLess = (/** @type {any} */ a, /** @type {any} */ b) => toNumber(compare(a, b)) < 0;
  let sorted = 1;
  if (list.length >= SHORTEST_WITH_RUNS) {
    const falls = isLess(list[1], list[0]);
    sorted = 2;
    while (sorted < list.length && isLess(list[sorted], list[sorted - 1]) === falls) {
      sorted += 1;
    }
    for (let low = 0, high = sorted - 1; falls && low < high; low += 1, high -= 1) {
      const other = list[low];
      list[low] = list[high];
      list[high] = other;
    }
  }
  for (; sorted < list.length; sorted += 1) {
    const next = list[sorted];
    let low = 0;
    let high = sorted;
    while (low < high) {
      const middle = low + ((high - low) >> 1);
      if (isLess(next, list[middle])) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    for (let i = sorted; i > low; i -= 1) {
      list[i] = list[i - 1];
    }
    list[low] = next;
  }
}
