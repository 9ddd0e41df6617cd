/**
 * Animations that end in one frame. Their promises are settled one right after the other, and what was waiting for them goes on
 * after the last one: all that it asks for is in the last one's event.
 */
import { append, objectKeys } from '../natives.js';

/** Between two of them on a busy machine. Where they are of two frames, and the first one's waiter asks for nothing, it does not matter. */
const SAME_FRAME_MS = 50;

/**
 * This one and those that came with it.
 * @param {import('./log.js').Log} log
 * @param {import('./log.js').Logged} first
 */
export function endsOfAnimations(log, first) {
  const ends = [first];
  for (let last = first; isEnd(log, last) && hasAskedNothing(last); last = ends[ends.length - 1]) {
    const next = log.byId(last.id + 1);
    if (!next || next.done || !isEnd(log, next) || next.at - last.at > SAME_FRAME_MS) {
      break;
    }
    append(ends, next);
  }
  return ends;
}

/**
 * @param {import('./log.js').Log} log
 * @param {import('./log.js').Logged} logged
 */
function isEnd(log, { what }) {
  return what.kind === 'settle' && what.list === 'promise' && what.outcome === 'fulfilled' && log.byId(what.of[0])?.local.promise?.[what.of[1]] === 'Animation.finished';
}

/** @param {import('./log.js').Logged} logged */
function hasAskedNothing({ local }) {
  const lists = objectKeys(local);
  for (let i = 0; i < lists.length; i += 1) {
    if (local[lists[i]]?.length > 0) {
      return false;
    }
  }
  return true;
}
