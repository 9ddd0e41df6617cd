/**
 * What a wheel scrolls. Browsers scroll in a thread of their own and tell the page with a later frame, so that a look right
 * after the wheel could come before it.
 */
/** Slower means that nothing is scrolled: what can be is guessed from the styles. */
const SCROLL_MS = 1_000;
/** An animated scroll of a browser that cannot be told to do without. */
const MOST_FRAMES = 120;

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./waiting.js').Waiting} waiting
 */
export function createTurning(realm, waiting) {
  /** What the wheel that is being turned should scroll, and where it stood. */
  let turned = /** @type {{scroller: any, before: string} | null} */ (null);

  return {
    /**
     * @param {any} target
     * @param {any} data of the logged wheel
     */
    async announce(target, data) {
      // WebKit takes a wheel for nothing as long as it has not shown the page.
      await waiting.nextFrame();
      await waiting.nextFrame();
      const scroller = target?.nodeType === 1 && data ? scrollerOf(realm, target, data.dx ?? 0, data.dy ?? 0) : null;
      turned = scroller && { scroller, before: standing(scroller) };
    },

    /** @param {() => boolean} isPrevented the page does something else with the wheel */
    async settle(isPrevented) {
      if (!turned) {
        return;
      }
      const { scroller, before } = turned;
      turned = null;
      await waiting.until(() => isPrevented() || standing(scroller) !== before, SCROLL_MS);
      let last = before;
      for (let i = 0; i < MOST_FRAMES && standing(scroller) !== last; i += 1) {
        last = standing(scroller);
        await waiting.nextFrame();
      }
    },
  };
}

/** @param {any} scroller */
function standing(scroller) {
  return scroller.scrollLeft + ' ' + scroller.scrollTop;
}

/**
 * The nearest box around an element that can be scrolled this way.
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {any} target
 * @param {number} dx
 * @param {number} dy
 */
function scrollerOf(realm, target, dx, dy) {
  const root = target.ownerDocument.scrollingElement;
  for (let node = target; node; node = node.assignedSlot ?? node.parentNode ?? node.host) {
    if (node.nodeType !== 1 || node === root) {
      continue;
    }
    const style = realm.computedStyle(node);
    const down = scrolls(style.overflowY);
    const across = scrolls(style.overflowX);
    if ((down && dy !== 0 && hasRoom(node.scrollTop, node.scrollHeight - node.clientHeight, dy)) || (across && dx !== 0 && hasRoom(node.scrollLeft, node.scrollWidth - node.clientWidth, dx))) {
      return node;
    }
    if ((down && dy !== 0 && style.overscrollBehaviorY !== 'auto') || (across && dx !== 0 && style.overscrollBehaviorX !== 'auto')) {
      return null;
    }
  }
  const across = root && dx !== 0 && !isCut(realm, root, 'overflowX') && hasRoom(root.scrollLeft, root.scrollWidth - root.clientWidth, dx);
  const down = root && dy !== 0 && !isCut(realm, root, 'overflowY') && hasRoom(root.scrollTop, root.scrollHeight - root.clientHeight, dy);
  return across || down ? root : null;
}

/**
 * What is said of the body goes for the window.
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {any} root
 * @param {'overflowX' | 'overflowY'} axis
 */
function isCut(realm, root, axis) {
  const { body } = root.ownerDocument;
  const cuts = (/** @type {any} */ element) => element && (realm.computedStyle(element)[axis] === 'hidden' || realm.computedStyle(element)[axis] === 'clip');
  return cuts(root) || cuts(body);
}

/** @param {string} overflow */
function scrolls(overflow) {
  return overflow === 'auto' || overflow === 'scroll';
}

/**
 * Positions from right to left are zero and below.
 * @param {number} at
 * @param {number} most
 * @param {number} by
 */
function hasRoom(at, most, by) {
  if (at < 0) {
    return by > 0 || 1 - at <= most;
  }
  return by > 0 ? at + 1 <= most : at >= 1;
}

/** @typedef {ReturnType<typeof createTurning>} Turning */
