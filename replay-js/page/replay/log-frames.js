/**
 * The frames of the browser that was recorded, as far as the log tells of them: the page ran in them, or was told of what moves. What moves stands
 * still between two of them, and what is set off begins with the next.
 */
import { abs, max, min } from '../more-natives.js';
import { append, floor } from '../natives.js';
import { isAnimated } from './native-events.js';
import { ONE_FRAME_MS, OF_SIZES } from './sizes.js';

/** Where the log does not tell. */
const USUALLY_BETWEEN_MS = 50 / 3;
/** A next frame comes within so long, where there is one for each of the screen's. */
export const NEXT_FRAME_MS = 20;
/** Times are told to a tenth of a millisecond, and what is told of in a frame is told a little later. */
const A_LITTLE_MS = 1;
/** The part of a frame by which another may seem to be before it. */
const EARLY = 0.1;
/** Nearer to each other are not two. */
const SHORTEST_MS = 3;
/** What took longer to begin was held up by something else. */
const SOME_FRAMES_MS = 50;

/** @typedef {{at: number, time: number, isTold: boolean, by: string}} Frame by the log's time, and as pages are told it, if they were; who is told of sizes is told once in each */

/** @param {import('./log.js').Log} log */
export function createLogFrames(log) {
  /** @type {Frame[]} */
  const frames = [];
  /** When animations of scripts have come to their end. @type {number[]} */
  const ends = [];
  const origin = timeBeganOf(log);
  const between = intervalOf(log);
  for (let i = 0; i < log.ordered.length; i += 1) {
    const { at, what } = log.ordered[i];
    const last = frames[frames.length - 1];
    const by = what.event === 'deliver' ? what.of[0] + '.' + what.of[1] : '';
    const isLasts = last !== undefined && at - last.at <= ONE_FRAME_MS && !(by && last.by === by);
    if (what.kind === 'frame') {
      // What the page was told before, in the same frame, was of the same time.
      if (isLasts && !last.isTold) {
        last.time = what.time;
        last.isTold = true;
      }
      append(frames, { at, time: what.time, isTold: true, by });
    } else if (!isLasts && isOfFrame(log, what)) {
      append(frames, { at, time: at - origin, isTold: false, by });
    }
    if (isEndOfPlayed(log, what)) {
      append(ends, at);
    }
  }

  /** The place of the first that comes at a time, or later. @param {number} at */
  const placeFrom = (at) => firstFrom(at, frames.length, (i) => frames[i].at);

  /** The last one until then. @param {number} at */
  function lastAt(at) {
    const place = placeFrom(at);
    return frames[place]?.at === at ? frames[place] : frames[place - 1];
  }

  /**
   * Whether the frame that goes on at a time is one of the log's.
   * @param {number} at
   * @param {Frame | undefined} last the last one until then
   */
  const isAmongFrames = (at, last) => last !== undefined && at - last.at <= 1.5 * between;

  /**
   * Where the log has no frames, whatever it has may come between any two.
   * @param {number} at
   * @param {Frame | undefined} [last] the last one until then
   */
  function timeAt(at, last = lastAt(at)) {
    return last ? last.time + (isAmongFrames(at, last) ? 0 : at - last.at) : at - origin;
  }

  /**
   * When something begins that is set off then.
   * @param {number} at
   * @param {number} [part] of a frame that it is taken to wait, where the log does not tell of the next
   */
  function begins(at, part = 0) {
    const next = frames[placeFrom(at)];
    const last = lastAt(at);
    return next && next.at < at + NEXT_FRAME_MS ? next.time : timeAt(at, last) + (isAmongFrames(at, last) ? between : between * part);
  }

  /**
   * The same, where the log has when it ends: with the first frame after so long, if that is its end at all.
   * @param {number} at
   * @param {number} end
   * @param {number} length
   */
  function beginsBefore(at, end, length) {
    const begin = begins(at);
    const last = timeAt(end) - length + A_LITTLE_MS;
    if (abs(last - begin) > SOME_FRAMES_MS) {
      return begin;
    }
    return max(min(begin, last), last - between - 2 * A_LITTLE_MS);
  }

  /** Whether the log has something of a frame. @param {number} time */
  function isKnown(time) {
    const next = frames[placeFrom(time + origin - between / 2)];
    return next !== undefined && abs(next.time - time) < between / 2;
  }

  return {
    timeAt,
    /**
     * How long something has been on its way: so many frames, where pages were not told their times.
     * @param {number} since
     * @param {number} at
     */
    passed(since, at) {
      const last = lastAt(at);
      const time = timeAt(at, last) - since;
      // A frame's sizes may be told long after it began, and hardly before.
      return last?.isTold || !isAmongFrames(at, last) ? time : floor(time / between + EARLY) * between;
    },
    begins,
    beginsBefore,
    /**
     * The same for what a script plays.
     * @param {number} at
     * @param {number} length
     */
    playsFrom(at, length) {
      const begin = begins(at);
      let found = begin;
      let nearest = SOME_FRAMES_MS;
      for (let i = firstFrom(at + length - SOME_FRAMES_MS, ends.length, (k) => ends[k]); i < ends.length && ends[i] < at + length + 2 * SOME_FRAMES_MS; i += 1) {
        const before = timeAt(ends[i]) - length;
        const far = abs(before - begin);
        // Of what takes a number of frames it cannot be told by its end alone with which it began: sizes are told of from the next one.
        const isEarlier = before - begin > between / 2 && !isKnown(begin + between);
        found = far < nearest ? (isEarlier ? before : beginsBefore(at, ends[i], length)) : found;
        nearest = min(nearest, far);
      }
      return found;
    },
  };
}

/** Milliseconds from one frame to the next, on the average of those that follow each other. @param {import('./log.js').Log} log */
function intervalOf(log) {
  let sum = 0;
  let count = 0;
  let last = -Infinity;
  for (let i = 0; i < log.ordered.length; i += 1) {
    const { what } = log.ordered[i];
    const past = what.kind === 'frame' ? what.time - last : 0;
    if (past > SHORTEST_MS && past < NEXT_FRAME_MS) {
      sum += past;
      count += 1;
    }
    last = what.kind === 'frame' ? what.time : last;
  }
  return count > 0 ? sum / count : USUALLY_BETWEEN_MS;
}

/**
 * Of sizes, and of what has come to its end or begun, pages are told in frames.
 * @param {import('./log.js').Log} log
 * @param {any} what
 */
function isOfFrame(log, what) {
  const isOfSizes = what.event === 'deliver' && log.registered('host', what.of) === OF_SIZES;
  return isOfSizes || (what.kind === 'dom' && isAnimated(what.type)) || (what.event === 'finish' && isEndOfPlayed(log, what));
}

/**
 * @param {import('./log.js').Log} log
 * @param {any} what
 */
function isEndOfPlayed(log, what) {
  if (what.event === 'finish') {
    return log.registered('host', what.of) === 'Animation';
  }
  return what.kind === 'settle' && what.list === 'promise' && what.outcome === 'fulfilled' && log.registered('promise', what.of) === 'Animation.finished';
}

/** When the time that pages are told began, as near as frames tell. @param {import('./log.js').Log} log */
function timeBeganOf(log) {
  let origin = Infinity;
  for (let i = 0; i < log.ordered.length; i += 1) {
    const { at, what } = log.ordered[i];
    if (what.kind === 'frame') {
      origin = min(origin, at - what.time);
    }
  }
  return origin < Infinity ? origin : 0;
}

/**
 * The first of so many, in their order, that is not before a time.
 * @param {number} at
 * @param {number} count
 * @param {(index: number) => number} timeOf
 */
export function firstFrom(at, count, timeOf) {
  let from = 0;
  let to = count;
  while (from < to) {
    const middle = from + ((to - from) >> 1);
    if (timeOf(middle) < at) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}

/** @typedef {ReturnType<typeof createLogFrames>} LogFrames */
