/**
 * Sizes on their way. While a style's movement goes on, who observes sizes is told once in each of the browser's frames, and may do
 * something else with each size. Movements that the log has such deliveries of are therefore held where they were then: each frame
 * of the log in which something was told is a place between the start and the end, and the last one is the end.
 */
import { abs, max } from '../more-natives.js';
import { append, newWeakMap } from '../natives.js';
import { isAct } from './log.js';

export const OF_SIZES = 'ResizeObserver';

/** At its very end the browser takes a style's movement away, and it cannot be put back. Chromium takes a thousandth for none. */
export const A_HAIR_MS = 0.01;

/** What is told within so many milliseconds of each other, to different observers, is of one frame. */
export const ONE_FRAME_MS = 8;
/** A movement is over so much later than it should be, at most, for a recording browser that has more to do. */
const BUSY_MS = 100;
/** The same where one is known to follow. */
export const VERY_BUSY_MS = 500;
/** A frame where nothing else is to be done. */
const SHORT_MS = 17;
/** Who is not told for so long is told no more of the same movement. */
const PAUSE_MS = 150;

/** These move nobody's box. */
const PAINT_ONLY = { __proto__: null, opacity: 1, visibility: 1, transform: 1, translate: 1, rotate: 1, scale: 1, filter: 1, 'backdrop-filter': 1, 'box-shadow': 1, 'text-shadow': 1, color: 1, 'background-color': 1, 'border-top-color': 1, 'border-right-color': 1, 'border-bottom-color': 1, 'border-left-color': 1, 'outline-color': 1, 'outline-width': 1, 'outline-offset': 1, fill: 1, stroke: 1 };

/**
 * What an event sets off is told of within so long. Frames that nobody needs are not asked for: with each the browser may find that the page
 * has moved below the pointer.
 */
const SOON_MS = 150;

/**
 * @typedef {{since: number, due: number, until: number, end: number, seenBy: import('./engine.js').Entry[]}} Way from one time of the log to another, when it should be
 *   over, its length, and who sees it, if that is known
 */

/**
 * @param {Pick<import('./realm.js').ReplayRealm, 'animationState' | 'pauseAnimation' | 'setAnimationTime'>} realm
 * @param {import('./log.js').Log} log
 * @param {(element: any) => import('./engine.js').Entry[][]} whoSees
 * @param {() => number} now
 */
export function createSizes(realm, log, whoSees, now) {
  const { frames, byEvent } = framesOf(log);
  const acts = actsOf(log);
  /** @type {{get: (animation: any) => Way | undefined, set: (animation: any, way: Way) => void}} */
  const ways = newWeakMap();
  /** The frame whose sizes are told. */
  let reached = 0;
  /** All that have been held. @type {Way[]} */
  const held = [];

  /**
   * When a movement that begins now should be over, and its last frame. Who sees it is told of in each frame until then; whose last is long
   * before it should be over has been told of something else, and those further away are asked.
   * @param {number} end
   * @param {import('./engine.js').Entry[][]} entries nearest first
   * @returns {{due: number, until: number, seenBy: import('./engine.js').Entry[]} | undefined}
   */
  function wayTo(end, entries) {
    const from = now();
    let way;
    /** @type {import('./engine.js').Entry[]} */
    const seenBy = [];
    for (let k = 0; k < entries.length; k += 1) {
      // Who looks at itself is told of nothing else.
      if (way && (k === 1 || way.until >= way.due - end / 2)) {
        break;
      }
      for (let i = 0; i < entries[k].length; i += 1) {
        append(seenBy, entries[k][i]);
        const told = toldTo(entries[k][i], from, end);
        way = told && !(way && way.until > told.until) ? told : way;
      }
    }
    way ??= toldToAny(from, end);
    return way && { ...way, seenBy };
  }

  /**
   * On a machine with more to do there are few frames, and late ones: what follows soon is of the same movement, unless it should be over and a
   * person has done something meanwhile. Where it is another's, this one is slower here than it was, and nobody is told more often or less.
   * @param {import('./engine.js').Entry} entry
   * @param {number} from
   * @param {number} end
   */
  function toldTo({ event, index }, from, end) {
    const observer = event.id + '.' + index;
    let first = 0;
    let last = 0;
    let gap = SHORT_MS;
    for (let i = 0; i < frames.length; i += 1) {
      const { at, observers } = frames[i];
      if (at <= from || !observers[observer]) {
        continue;
      }
      const isSoon = at - last <= 2 * gap || (at - last <= VERY_BUSY_MS && (at <= from + end || !isActedWithin(last, at)));
      if (at > from + end + (first ? VERY_BUSY_MS : BUSY_MS) || (first && !isSoon)) {
        break;
      }
      gap = first ? max(gap, at - last) : gap;
      first ||= at;
      last = at;
    }
    return first ? { due: first + end, until: last } : undefined;
  }

  /**
   * @param {number} after
   * @param {number} before
   */
  function isActedWithin(after, before) {
    for (let i = 0; i < acts.length; i += 1) {
      if (acts[i] > after && acts[i] < before) {
        return true;
      }
    }
    return false;
  }

  /**
   * Who sees a movement need not look at what moves. Of the frames in which somebody is told for the last time, it is the one that is nearest
   * to when the movement should be over. It begins with the browser's next frame, and is first told of with the one after that.
   * @param {number} from
   * @param {number} end
   */
  function toldToAny(from, end) {
    let due = 0;
    /** @type {typeof frames[0] | undefined} */
    let last;
    for (let i = 0; i < frames.length; i += 1) {
      const { at } = frames[i];
      if (at > from && at <= from + end + BUSY_MS) {
        due ||= max(from, at - SHORT_MS) + end;
        const isBetter = !last || (frames[i].isLast ? !last.isLast || abs(at - due) < abs(last.at - due) : !last.isLast);
        last = isBetter ? frames[i] : last;
      }
    }
    return last && { due, until: last.at };
  }

  /**
   * @param {any} animation
   * @param {number} end
   * @returns {Way | undefined}
   */
  function begin(animation, end) {
    if (end <= 0 || PAINT_ONLY[/** @type {'opacity'} */ (animation.transitionProperty)]) {
      return undefined;
    }
    const element = animation.effect?.target;
    const told = wayTo(end, element ? whoSees(element) : []);
    if (!told) {
      return undefined;
    }
    const { due, until, seenBy } = told;
    const way = { since: now(), due, until, end, seenBy };
    ways.set(animation, way);
    append(held, way);
    realm.pauseAnimation(animation);
    return way;
  }

  /**
   * Whether one of those that were held goes on till then, and this one may see it.
   * @param {number} at
   * @param {import('./engine.js').Entry} entry
   */
  function isSeen(at, entry) {
    for (let i = 0; i < held.length; i += 1) {
      const { since, until, seenBy } = held[i];
      let sees = seenBy.length === 0;
      for (let k = 0; k < seenBy.length; k += 1) {
        sees ||= seenBy[k] === entry;
      }
      if (sees && at > since && at <= until) {
        return true;
      }
    }
    return false;
  }

  /** Whether it rests because it is held here. @param {any} animation */
  const isHeld = (animation) => ways.get(animation) !== undefined && realm.animationState(animation) === 'paused';

  /** The place among the frames of the first that is still to come. */
  let coming = 0;

  return {
    isHeld,
    /** Whether it has been held here. @param {any} animation */
    wasHeld: (animation) => ways.get(animation) !== undefined,
    /** Whether sizes are told soon. */
    areTold() {
      const time = now();
      while (coming < frames.length && frames[coming].at <= time) {
        coming += 1;
      }
      return coming < frames.length && frames[coming].at <= time + SOON_MS;
    },
    /**
     * Puts a style's movement where it was when the log's sizes were told.
     * @param {any} animation
     * @param {number} end
     * @returns {boolean} whether it is on its way
     */
    hold(animation, end) {
      const way = ways.get(animation) ?? begin(animation, end);
      if (!way || reached >= way.until || now() > way.until + ONE_FRAME_MS) {
        return false;
      }
      const isTold = now() - reached <= ONE_FRAME_MS;
      const at = isTold ? reached : now();
      const gone = max(0, at - way.since) / (way.until - way.since);
      // What happens after its end finds it there, also where its last frame is late.
      const isOver = gone >= 1 || (!isTold && at > way.due);
      realm.setAnimationTime(animation, isOver ? way.end - A_HAIR_MS : way.end * gone);
      return true;
    },
    /**
     * The log tells of sizes.
     * @param {number} id
     * @param {import('./engine.js').Entry} entry who is told
     * @returns {boolean} whether they may be those of something that moves
     */
    reach(id, entry) {
      reached = byEvent[id]?.at ?? reached;
      return byEvent[id] !== undefined && isSeen(reached, entry);
    },
  };
}

/** When a person did something. @param {import('./log.js').Log} log */
function actsOf(log) {
  /** @type {number[]} */
  const acts = [];
  for (let i = 0; i < log.ordered.length; i += 1) {
    const { at, what } = log.ordered[i];
    if (isAct(what)) {
      append(acts, at);
    }
  }
  return acts;
}

/** The frames in which sizes were told, also by the event that told of them. @param {import('./log.js').Log} log */
function framesOf(log) {
  /** @type {{at: number, observers: any, isLast: boolean}[]} */
  const frames = [];
  /** @type {typeof frames} */
  const byEvent = [];
  /** The frame in which each was told last. @type {any} */
  const lasts = { __proto__: null };
  let last = 0;
  for (let i = 0; i < log.ordered.length; i += 1) {
    const { id, at, what } = log.ordered[i];
    if (what.event !== 'deliver' || log.registered('host', what.of) !== OF_SIZES) {
      continue;
    }
    const observer = what.of[0] + '.' + what.of[1];
    let frame = frames[frames.length - 1];
    if (!frame || at - last > ONE_FRAME_MS || frame.observers[observer]) {
      frame = { at, observers: { __proto__: null }, isLast: false };
      append(frames, frame);
    }
    byEvent[id] = frame;
    frame.observers[observer] = true;
    const before = lasts[observer];
    if (before && frame.at - before.at > PAUSE_MS) {
      before.isLast = true;
    }
    lasts[observer] = frame;
    last = at;
  }
  for (const observer in lasts) {
    lasts[observer].isLast = true;
  }
  return { frames, byEvent };
}

/** @typedef {ReturnType<typeof createSizes>} Sizes */
