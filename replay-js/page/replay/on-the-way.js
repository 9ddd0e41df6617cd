/**
 * What is scrolled smoothly is on its way for a while, and the log says where it is by then. Here it would be at its end at once, and in a
 * frame that comes before the log's next event observers would be told of what is seen there. So it stays where it was until the log
 * tells of it, if it does: of a page that does not listen to its scrolling there is nothing to follow.
 */
import { abs } from '../more-natives.js';
import { append, getterOf } from '../natives.js';

const SMOOTH = 'smooth';
/** A way begins with a frame. On a busy machine it is a long one. */
const BEGINS_MS = 500;

/** Keys by which a link is followed. */
const FOLLOWS = { __proto__: null, Enter: true };

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./log.js').Log} log
 * @param {import('./targets.js').Targets} targets
 * @param {import('./engine.js').ReplayEngine} engine
 * @param {import('./hurried.js').Hurried} hurried
 */
export function createOnTheWay(realm, log, targets, engine, hurried) {
  const Element = realm.global.Element.prototype;
  const scrollLeft = getterOf(Element, 'scrollLeft');
  const scrollTop = getterOf(Element, 'scrollTop');
  /** The window, by the element that stands for it, where it was before the last gesture, if that may have followed a link smoothly. */
  let window = /** @type {Place | null} */ (null);

  /** @typedef {{node: any, left: number, top: number}} Place */

  /** @param {any} node */
  const placeOf = (node) => ({ node, left: scrollLeft(node), top: scrollTop(node) });
  const root = () => realm.document.scrollingElement;

  /**
   * Whether the log tells soon that something is nearer to where it was than to where it is.
   * @param {Place} before
   */
  function isOnItsWay(before) {
    const { node } = before;
    const at = log.byId(engine.nearest())?.at ?? 0;
    const isIt = (/** @type {any} */ located) => (located.object === 'document' ? node === root() : targets.is(located, node));
    const next = log.beforePress(({ what }) => what.type === 'scroll' && what.data?.scroll !== undefined && isIt(what.target));
    return next !== undefined && next.at - at < BEGINS_MS && distance(next.what.data.scroll, before) < distance(next.what.data.scroll, placeOf(node));
  }

  /** @param {any} node */
  const isSmoothByStyles = (node) => realm.computedStyle(node).scrollBehavior === SMOOTH || (node === root() && hurried.isAtOnce());

  /**
   * @param {any} node
   * @param {string | undefined} behavior that the page asked for
   */
  function isSmooth(node, behavior) {
    const byStyles = behavior === undefined || behavior === 'auto';
    return behavior === SMOOTH || (byStyles && isSmoothByStyles(node));
  }

  /**
   * @param {Place} before
   * @param {string} [behavior]
   */
  function putBack(before, behavior) {
    const { node, left, top } = before;
    const hasMoved = scrollLeft(node) !== left || scrollTop(node) !== top;
    if (hasMoved && isSmooth(node, behavior) && isOnItsWay(before)) {
      realm.scrollTo(node, left, top);
    }
  }

  return {
    /**
     * Where everything is that holds this, or that this is.
     * @param {any} element the window without it
     */
    before(element) {
      /** @type {Place[]} */
      const places = [];
      for (let node = element ?? root(); node; node = node.parentNode ?? node.host) {
        if (node.nodeType === 1) {
          append(places, placeOf(node));
        }
      }
      return places;
    },

    /**
     * After a page has scrolled something.
     * @param {Place[]} places
     * @param {string} [behavior]
     */
    back(places, behavior) {
      for (let i = 0; i < places.length; i += 1) {
        putBack(places[i], behavior);
      }
    },

    /** @param {any} gesture that comes */
    comes(gesture) {
      const node = root();
      const mayFollow = gesture && (gesture.type !== 'keydown' || FOLLOWS[/** @type {'Enter'} */ (gesture.data?.key)]) && gesture.type !== 'wheel' && node && isSmoothByStyles(node);
      window = mayFollow ? placeOf(node) : null;
    },

    /** The page is told of something, or observers will be, in the same frame. */
    scrolled() {
      if (window) {
        putBack(window);
      }
    },

    /** The log has said where it is. @param {any} node */
    came(node) {
      if (window?.node === node) {
        window = null;
      }
    },
  };
}

/**
 * @param {number[]} scroll as the log tells it
 * @param {{left: number, top: number}} place
 */
function distance(scroll, place) {
  return abs(scroll[0] - place.left) + abs(scroll[1] - place.top);
}

/** @typedef {ReturnType<typeof createOnTheWay>} OnTheWay */
