/**
 * What comes into view here a line sooner or later than in the log: a text is broken otherwise, and after the same turn of the wheel the end
 * of a list is some pixels away from where the list asks for more. A person would turn on and see no difference. So where the browser does
 * not tell an observer what the log has, it is asked what it would tell of a view some pixels larger, or smaller.
 */
import { append, construct, newWeakMap, split } from '../natives.js';
import { parseDecimal } from '../more-natives.js';

export const OF_VIEW = 'IntersectionObserver';

/** Half a line up to four, the nearest first. */
const NEAR_PX = [12, 24, 48, 96];

/**
 * @typedef {{targets: any[], told: {get: (target: any) => number | undefined, set: (target: any, step: number) => void}, ahead: any}} Observed what an
 *   observer was told of its targets last, and those of which it was told what the browser has yet to say
 */

/**
 * @param {Pick<import('./realm.js').ReplayRealm, 'global'>} realm
 * @param {Pick<import('./waiting.js').Waiting, 'nextFrames'>} waiting
 */
export function createNearlySeen({ global }, waiting) {
  const Native = global.IntersectionObserver;
  const byObserver = newWeakMap();
  const byEntry = newWeakMap();

  /**
   * What the browser would say of a view that is so much higher at both ends.
   * @param {any} observer
   * @param {any[]} targets
   * @param {number} px
   */
  function lookFrom(observer, targets, px) {
    const seen = newWeakMap();
    const look = { seen, answered: false, end: () => native.disconnect() };
    const native = construct(Native, [
      (/** @type {any[]} */ entries) => {
        for (let i = 0; i < entries.length; i += 1) {
          seen.set(entries[i].target, entries[i]);
        }
        look.answered = true;
      },
      { root: observer.root, rootMargin: marginOf(observer, px), threshold: observer.thresholds },
    ]);
    for (let i = 0; i < targets.length; i += 1) {
      native.observe(targets[i]);
    }
    return look;
  }

  /**
   * Those of which something else is said of the larger or the smaller view than was told.
   * @param {any} observer
   * @param {Observed} observed
   * @param {any} larger
   * @param {any} smaller
   */
  function changed(observer, { targets, told }, larger, smaller) {
    /** @type {any[]} */
    const found = [];
    for (let i = 0; i < targets.length; i += 1) {
      const before = told.get(targets[i]) ?? 0;
      const [more, less] = [larger.seen.get(targets[i]), smaller.seen.get(targets[i])];
      if (more && stepOf(more, observer) > before) {
        append(found, more);
      } else if (less && stepOf(less, observer) < before) {
        append(found, less);
      }
    }
    return found;
  }

  /** @param {number} px */
  function marginOf(/** @type {any} */ { root, rootMargin }, px) {
    const [top, right, bottom, left] = split(rootMargin, ' ');
    const height = root?.clientHeight ?? global.innerHeight;
    const grown = (/** @type {string} */ side) => (side[side.length - 1] === '%' ? (parseDecimal(side) / 100) * height : parseDecimal(side)) + px + 'px';
    return grown(top) + ' ' + right + ' ' + grown(bottom) + ' ' + left;
  }

  return {
    /**
     * What the browser has brought, without what the page was told ahead.
     * @param {import('./engine.js').Entry} entry
     * @param {any[]} entries
     * @param {any} observer
     */
    brought(entry, entries, observer) {
      byEntry.set(entry, observer);
      if (!byObserver.has(observer)) {
        byObserver.set(observer, { targets: [], told: newWeakMap(), ahead: newWeakMap() });
      }
      const { targets, told, ahead } = byObserver.get(observer);
      /** @type {any[]} */
      const fresh = [];
      for (let i = 0; i < entries.length; i += 1) {
        const { target } = entries[i];
        const step = stepOf(entries[i], observer);
        if (!told.has(target)) {
          append(targets, target);
        }
        if (!ahead.has(target) || told.get(target) !== step) {
          append(fresh, entries[i]);
        }
        ahead.delete(target);
        told.set(target, step);
      }
      return fresh;
    },

    /**
     * @param {any} observer
     * @param {(target: any) => boolean} stays
     */
    keepOnly(observer, stays) {
      const observed = byObserver.get(observer);
      if (!observed) {
        return;
      }
      const { targets, told } = observed;
      observed.targets = [];
      for (let i = 0; i < targets.length; i += 1) {
        if (stays(targets[i])) {
          append(observed.targets, targets[i]);
        } else {
          told.delete(targets[i]);
        }
      }
    },

    /**
     * So many of an observer's targets, where as many are that near.
     * @param {import('./engine.js').Entry} entry
     * @param {number} count
     * @returns {Promise<{given: any, px: number} | undefined>}
     */
    async ahead(entry, count) {
      const observer = byEntry.get(entry);
      const observed = byObserver.get(observer);
      if (!observed || observed.targets.length === 0) {
        return undefined;
      }
      /** @type {any[]} */
      const looks = [];
      for (let i = 0; i < NEAR_PX.length; i += 1) {
        append(looks, lookFrom(observer, observed.targets, NEAR_PX[i]));
        append(looks, lookFrom(observer, observed.targets, -NEAR_PX[i]));
      }
      const last = looks[looks.length - 1];
      await waiting.nextFrames(() => last.answered);
      for (let i = 0; i < looks.length; i += 1) {
        looks[i].end();
      }
      for (let i = 0; i < NEAR_PX.length; i += 1) {
        const found = changed(observer, observed, looks[2 * i], looks[2 * i + 1]);
        if (found.length > count) {
          return undefined;
        }
        if (found.length === count) {
          for (let k = 0; k < count; k += 1) {
            observed.told.set(found[k].target, stepOf(found[k], observer));
            observed.ahead.set(found[k].target, true);
          }
          return { given: [found, observer], px: NEAR_PX[i] };
        }
      }
      return undefined;
    },
  };
}

/**
 * How many of its thresholds a target has passed.
 * @param {any} entry
 * @param {any} observer
 */
function stepOf({ isIntersecting, intersectionRatio }, { thresholds }) {
  let step = isIntersecting ? 1 : 0;
  for (let i = 0; i < thresholds.length; i += 1) {
    step += isIntersecting && intersectionRatio >= thresholds[i] ? 1 : 0;
  }
  return step;
}
