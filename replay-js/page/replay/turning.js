/**
 * What a wheel scrolls. Browsers scroll in a thread of their own and tell the page with a later frame, so that a look right
 * after the wheel could come before it.
 */

const AXES = /** @type {const} */ ([
  { delta: 'dx', at: 'scrollLeft', whole: 'scrollWidth', shown: 'clientWidth', overflow: 'overflowX', overscroll: 'overscrollBehaviorX' },
  { delta: 'dy', at: 'scrollTop', whole: 'scrollHeight', shown: 'clientHeight', overflow: 'overflowY', overscroll: 'overscrollBehaviorY' },
]);
/** @typedef {typeof AXES[number]} Axis */

/** Slower means that nothing is scrolled: what can be is guessed from the styles. */
const SCROLL_MS = 1_000;
/** What snaps does so only when it takes the wheel to be let go, which no engine tells before. */
const SNAP_FRAMES = 30;
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
      const scroller = target?.nodeType === 1 && data ? scrollerOf(realm, target, data) : null;
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
      if (standing(scroller) === before) {
        return;
      }
      const snaps = realm.computedStyle(scroller).scrollSnapType !== 'none';
      const atRest = snaps ? SNAP_FRAMES : 1;
      let last = before;
      for (let i = 0, still = 0; i < MOST_FRAMES + atRest && still < atRest; i += 1) {
        still = standing(scroller) === last ? still + 1 : 0;
        last = standing(scroller);
        if (still < atRest) {
          await waiting.nextFrame();
        }
      }
      if (snaps) {
        snap(realm, scroller);
      }
    },
  };
}

/**
 * WebKit's driver never lets go of the wheel, so that nothing snaps there. What a script scrolls snaps at once, and stays where
 * it is if it has snapped already.
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {any} scroller
 */
function snap(realm, scroller) {
  const { scrollLeft: left, scrollTop: top } = scroller;
  // To where it is, nothing would move.
  realm.scrollTo(scroller, left > 0 ? left - 1 : left, top > 0 ? top - 1 : top);
  realm.scrollTo(scroller, left, top);
}

/** @param {any} scroller */
function standing(scroller) {
  return scroller.scrollLeft + ' ' + scroller.scrollTop;
}

/**
 * The nearest box around an element that can be scrolled this way.
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {any} target
 * @param {any} data of the wheel
 */
function scrollerOf(realm, target, data) {
  const root = target.ownerDocument.scrollingElement;
  for (let node = target; node; node = node.assignedSlot ?? node.parentNode ?? node.host) {
    if (node.nodeType !== 1 || node === root) {
      continue;
    }
    const style = realm.computedStyle(node);
    let ends = false;
    for (let i = 0; i < AXES.length; i += 1) {
      const axis = AXES[i];
      if (data[axis.delta] && scrolls(style[axis.overflow])) {
        if (hasRoom(realm, node, axis, data)) {
          return node;
        }
        ends ||= style[axis.overscroll] !== 'auto';
      }
    }
    if (ends) {
      return null;
    }
  }
  for (let i = 0; root && i < AXES.length; i += 1) {
    if (data[AXES[i].delta] && !isCut(realm, root, AXES[i]) && hasRoom(realm, root, AXES[i], data)) {
      return root;
    }
  }
  return null;
}

/**
 * What is said of the body goes for the window.
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {any} root
 * @param {Axis} axis
 */
function isCut(realm, root, axis) {
  const { body } = root.ownerDocument;
  const how = (/** @type {any} */ element) => element && realm.computedStyle(element)[axis.overflow];
  const cuts = (/** @type {any} */ overflow) => overflow === 'hidden' || overflow === 'clip';
  return cuts(how(root)) || cuts(how(body));
}

/** @param {string} overflow */
function scrolls(overflow) {
  return overflow === 'auto' || overflow === 'scroll';
}

/**
 * Positions from right to left are zero and below.
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {any} node
 * @param {Axis} axis
 * @param {any} data of the wheel
 */
function hasRoom(realm, node, axis, data) {
  const at = node[axis.at];
  const most = realm.lengths[axis.whole](node) - realm.lengths[axis.shown](node);
  const by = data[axis.delta];
  if (at < 0) {
    return by > 0 || 1 - at <= most;
  }
  return by > 0 ? at + 1 <= most : at >= 1;
}

/** @typedef {ReturnType<typeof createTurning>} Turning */
