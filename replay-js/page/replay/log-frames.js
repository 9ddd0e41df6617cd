/**
 * The frames of the browser that was recorded, as far as the log tells of them: the page ran in them, or was told of sizes. What moves stands
 * still between two of them, and what is set off begins with the next.
 */
import { min } from '../more-natives.js';
import { append } from '../natives.js';
import { ONE_FRAME_MS, OF_SIZES } from './sizes.js';

const BETWEEN_FRAMES_MS = 50 / 3;
/** A next frame comes within so long, where there is one for each of the screen's. */
const NEXT_FRAME_MS = 20;

/** @param {import('./log.js').Log} log */
export function createLogFrames(log) {
  /** @type {{at: number, time: number}[]} by the log's time, and as pages are told it */
  const frames = [];
  const origin = timeBeganOf(log);
  for (let i = 0; i < log.ordered.length; i += 1) {
    const { at, what } = log.ordered[i];
    const before = frames.length > 0 ? frames[frames.length - 1].at : -Infinity;
    if (what.kind === 'frame') {
      append(frames, { at, time: what.time });
    } else if (what.event === 'deliver' && at - before > ONE_FRAME_MS && log.registered('host', what.of) === OF_SIZES) {
      append(frames, { at, time: at - origin });
    }
  }

  /** The place of the first that comes at a time, or later. @param {number} at */
  const placeFrom = (at) => firstFrom(at, frames.length, (i) => frames[i].at);

  /** @param {number} at */
  function timeAt(at) {
    let place = placeFrom(at);
    place += frames[place]?.at === at ? 1 : 0;
    const last = frames[place - 1];
    const past = last ? at - last.at : 0;
    return last ? last.time + past - (past % BETWEEN_FRAMES_MS) : at - origin;
  }

  return {
    timeAt,
    /**
     * When something begins that is set off then.
     * @param {number} at
     */
    begins(at) {
      const next = frames[placeFrom(at)];
      return next && next.at < at + NEXT_FRAME_MS ? next.time : timeAt(at) + BETWEEN_FRAMES_MS;
    },
  };
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
