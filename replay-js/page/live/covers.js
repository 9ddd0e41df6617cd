/**
 * What a hand cannot get at, told without trying: what a dialog covers, and what lies where no scrolling leads.
 *
 * In view it is the test by which an action is aimed. What is out of view would be scrolled to, which may change the page:
 * it is told by what covers the view from top to bottom, such as a panel or the backdrop of a dialog.
 */
import { append, floor, getterOf, uncurry } from '../natives.js';

/**
 * @param {import('../replay/realm.js').ReplayRealm} realm
 * @param {import('./view.js').View} view
 * @param {(element: any) => string} nameOf
 */
export function createCovers(realm, view, nameOf) {
  const { global } = realm;
  const scrollTop = getterOf(global.Element.prototype, 'scrollTop');
  const matches = uncurry(global.Element.prototype.matches);

  /** What is behind a modal dialog is inert, wherever it is. */
  const isModal = (/** @type {any} */ element) => {
    try {
      return matches(element, 'dialog:modal');
    } catch {
      // Chromium before 105, Firefox before 103 and Safari before 15.6 do not know the selector.
      return false;
    }
  };

  /** @param {any} element */
  function middleOf(element) {
    const box = realm.boundingBox(element);
    return { x: floor(box.left + box.width / 2), y: floor(box.top + box.height / 2) };
  }

  /** @param {{x: number, y: number}} point */
  function isInView({ x, y }) {
    return x >= 0 && y >= 0 && x < global.innerWidth && y < global.innerHeight;
  }

  /**
   * The outermost box that covers the view from top to bottom, around what was hit instead of an element; and whether it
   * stays where it is when the page is scrolled.
   * @param {any} hit
   * @param {any} element
   */
  function backdropOf(hit, element) {
    let found = null;
    for (let at = hit; at && !view.holds(at, element); at = at.parentElement) {
      const box = realm.boundingBox(at);
      if (isModal(at)) {
        return { element: at, box, stays: true, modal: true };
      }
      if (box.top <= 0 && box.bottom >= global.innerHeight) {
        found = { element: at, box, stays: view.style(at).position === 'fixed', modal: false };
      }
    }
    return found;
  }

  /** @param {any} element */
  function isBeforeTheBeginning(element) {
    if (middleOf(element).y + global.scrollY >= 0) {
      return false;
    }
    for (let at = element; at && at !== global.document.documentElement; at = at.parentElement) {
      if (scrollTop(at) > 0) {
        return false;
      }
    }
    return true;
  }

  return {
    /**
     * Puts to each what covers it.
     * @param {any[]} elements
     * @returns {(string | undefined)[]}
     */
    of(elements) {
      /** @type {(string | undefined)[]} */
      const covers = [];
      /** @type {any[]} */
      const backdrops = [];
      for (let i = 0; i < elements.length; i += 1) {
        const point = middleOf(elements[i]);
        const cover = isInView(point) ? view.coverOf(elements[i], point.x, point.y) : null;
        append(covers, cover ? (cover.by ? nameOf(cover.by) : 'nothing that can be seen') : undefined);
        const backdrop = cover && backdropOf(cover.by, elements[i]);
        if (backdrop) {
          append(backdrops, backdrop);
        }
      }
      for (let i = 0; i < elements.length; i += 1) {
        const element = elements[i];
        const point = middleOf(element);
        for (let b = 0; b < backdrops.length && !isInView(point); b += 1) {
          const { element: by, box, stays, modal } = backdrops[b];
          const beside = point.x < box.left || point.x >= box.right;
          const beyond = point.y < box.top || point.y >= box.bottom;
          if ((modal || (!beside && (stays || !beyond))) && !view.holds(by, element)) {
            covers[i] = nameOf(by);
            break;
          }
        }
        if (covers[i] === undefined && !isInView(point) && isBeforeTheBeginning(element)) {
          covers[i] = 'the edge of the page';
        }
      }
      return covers;
    },
  };
}

/** @typedef {ReturnType<typeof createCovers>} Covers */
