/** Where the pointer was seen last, and what is below it by now. */
import { abs } from '../more-natives.js';
import { defineProperty, floor, newWeakMap, uncurry } from '../natives.js';

/** What tells of an element that the pointer came to, or into. */
const COMES_TO = { __proto__: null, mouseover: 1, pointerover: 1 };
const COMES_INTO = { __proto__: null, mouseenter: 1, pointerenter: 1 };

/** What told before that it came to an element which it is told to have left. */
const BEFORE = { __proto__: null, mouseout: 'mouseover', pointerout: 'pointerover', mouseleave: 'mouseenter', pointerleave: 'pointerenter' };

/** What tells of the other element, which the pointer leaves or comes to in the same move. */
const OTHER = { __proto__: null, mouseout: 'mouseover', pointerout: 'pointerover', mouseleave: 'mouseover', pointerleave: 'pointerover', mouseover: 'mouseout', pointerover: 'pointerout', mouseenter: 'mouseout', pointerenter: 'pointerout' };

/** Events of one passing are nearer to each other than this. */
const ONE_PASSING_MS = 20;

/** Noted where the page has moved below a pointer that has not. */
export const MOVED_BELOW = 'dispatched by script: the page moved below the pointer';

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./log.js').Log} log
 * @param {import('./targets.js').Targets} targets
 */
export function createPointer(realm, log, targets) {
  let seen = { x: -1, y: -1 };
  const skipped = newWeakMap();
  const matches = uncurry(realm.global.Element.prototype.matches);

  return {
    /**
     * @param {any} event
     * @param {any} target which may be in a frame
     */
    moved(event, target) {
      const frame = realm.frameOrigin(target);
      const to = { x: frame.x + realm.clientX(event), y: frame.y + realm.clientY(event) };
      // Of a place between two pixels, only the pointer's own events say all.
      const isTheSame = realm.eventType(event) === 'mousemove' && to.x === floor(seen.x) && to.y === floor(seen.y);
      seen = isTheSame ? seen : to;
    },
    place: () => seen,
    /** @param {{x: number, y: number}} point */
    isAt: ({ x, y }) => abs(x - seen.x) < 1 && abs(y - seen.y) < 1,
    /**
     * A passing that the page is not told of.
     * @param {import('./log.js').Logged} logged
     */
    skip(logged) {
      logged.done = true;
      skipped.set(logged, true);
    },
    /**
     * Whether a passing comes of the page's having moved below the pointer, rather than of its next move. An engine tells of
     * it when it looks for what is below the pointer, which may be after that move.
     * @param {import('./log.js').Logged} logged
     */
    isPassed({ id, what: { type, target: located } }) {
      const below = realm.elementAt(seen.x, seen.y);
      const { target } = targets.find(located);
      if (below === null || target === null) {
        return false;
      }
      let at = below;
      while (at && at !== target) {
        at = targets.parent(at);
      }
      const isIn = at === target;
      if (COMES_TO[/** @type {'mouseover'} */ (type)]) {
        return below === target;
      }
      if (COMES_INTO[/** @type {'mouseenter'} */ (type)]) {
        return isIn;
      }
      const came = log.lastBefore(id, ({ what }) => what.type === BEFORE[/** @type {'mouseout'} */ (type)] && targets.is(what.target, target));
      const isLeft = isOut(type) ? below !== target : !isIn;
      return isLeft && !(came && skipped.has(came));
    },
    /**
     * Whether the pointer comes to an element and leaves it at once, by these: around one that was taken away, before the
     * browser looked what lies below.
     * @param {import('./log.js').Logged} logged
     * @param {import('./log.js').Logged[]} passings
     */
    isLeftAgain({ id, what: { type, target: located } }, passings) {
      const { target } = targets.find(located);
      for (let i = 0; target !== null && i < passings.length; i += 1) {
        const { id: later, what } = passings[i];
        if (later > id && BEFORE[/** @type {'mouseout'} */ (what.type)] === type && targets.is(what.target, target)) {
          return true;
        }
      }
      return false;
    },
    /** Whether the browser knows what is below the pointer by now: then it has told of it, whoever heard, and tells no more. */
    isKnown() {
      const below = realm.elementAt(seen.x, seen.y);
      return below !== null && matches(below, ':hover');
    },
    /**
     * The page sees the log's other element: where input differs from that of the recording (a drag by script, say), the
     * browser's last one is another.
     * @param {import('./log.js').Logged} logged
     * @param {any} event
     */
    passAsLogged({ what }, event) {
      const related = targets.related(what);
      if (related !== undefined && event.relatedTarget !== related) {
        defineProperty(event, 'relatedTarget', { value: related, configurable: true });
      }
    },
    /**
     * The other element of a passing, if it is one: of what is left the one that the pointer came to, and the other way round.
     * @param {import('./log.js').Logged} logged
     */
    otherOf({ id, at, what }) {
      const related = targets.related(what);
      if (related !== undefined) {
        return related;
      }
      const { type, target: located } = what;
      const wanted = OTHER[/** @type {'mouseout'} */ (type)];
      if (!wanted) {
        return null;
      }
      const isIt = (/** @type {import('./log.js').Logged} */ other) => other.what.type === wanted && abs(other.at - at) < ONE_PASSING_MS;
      const other = COMES_TO[/** @type {'mouseover'} */ (wanted)] ? log.firstAfter(id, isIt) : log.lastBefore(id, isIt);
      if (other) {
        return targets.find(other.what.target).target;
      }
      // Nobody is told to have been left who was taken out of the page: then the pointer comes from what is around.
      const wasThere = COMES_TO[/** @type {'mouseover'} */ (type)] && log.lastBefore(id, ({ what }) => what.type === type);
      return wasThere ? (targets.parent(targets.find(located).target) ?? null) : null;
    },
    /**
     * Where the element below the pointer is taken away, Chromium tells the one around it that the pointer leaves it for itself, some time
     * later: with the next move, or before. Where the log has a move to elsewhere next, it is not that.
     * @param {any} event
     * @param {string} type
     * @param {any} target
     */
    leavesForItself(event, type, target) {
      if (!isOut(type) || event.relatedTarget !== target) {
        return false;
      }
      const wanted = BEFORE[/** @type {'mouseout'} */ (type)];
      const next = log.beforePress(({ what }) => what.kind === 'dom' && !what.gesture && what.type === wanted);
      return !next || !targets.is(next.what.target, target);
    },
  };
}

/** @param {string} type */
function isOut(type) {
  return type === 'mouseout' || type === 'pointerout';
}

/** @typedef {ReturnType<typeof createPointer>} Pointer */
