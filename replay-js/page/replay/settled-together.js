/**
 * Promises of the browser's own that settle right after one another, in one go: animations that end in one frame, what waits for one
 * font, requests that are taken back by one call. What was waiting for them goes on after the last one: all that it asks for is in the last one's event.
 */
import { append, objectKeys, setOfWords } from '../natives.js';

/** Ends of animations on a busy machine. Where they are of two frames, and the first one's waiter asks for nothing, it does not matter. */
const SAME_FRAME_MS = 50;

/** Between others. Where they are of two turns, the first one's waiter has asked for nothing either. */
const SAME_TURN_MS = 2;

const END = 'Animation.finished';
/** That they are called off is told otherwise. */
const OF_ANIMATIONS = setOfWords('Animation.ready Animation.finished');
const IN_ONE_TURN = setOfWords('Animation.ready FontFace.load FontFace.loaded FontFaceSet.load FontFaceSet.ready HTMLImageElement.decode');

/** In the place of an API's name: of a request, or of its answer, for which somebody waited. */
const TAKEN_BACK = 'taken back';

/**
 * This one and those that came with it.
 * @param {import('./log.js').Log} log
 * @param {import('./log.js').Logged} first
 * @param {(logged: import('./log.js').Logged) => boolean} isTakenBack
 */
export function settledWith(log, first, isTakenBack) {
  /** @param {import('./log.js').Logged} logged */
  const apiOf = (logged) => (logged.what.outcome === 'rejected' && isTakenBack(logged) ? TAKEN_BACK : apiNamed(log, logged));
  const all = [first];
  for (let last = first; hasAskedNothing(last); last = all[all.length - 1]) {
    const next = log.byId(last.id + 1);
    const within = next && !next.done ? furthestApart(apiOf(last), apiOf(next)) : 0;
    if (!next || !within || next.at - last.at > within) {
      break;
    }
    append(all, next);
  }
  return all;
}

/**
 * @param {string} api
 * @param {string} other
 */
function furthestApart(api, other) {
  if (api === END) {
    return other === END ? SAME_FRAME_MS : 0;
  }
  const isOne = api === TAKEN_BACK ? other === api : IN_ONE_TURN[api] && IN_ONE_TURN[other];
  return isOne ? SAME_TURN_MS : 0;
}

/**
 * @param {import('./log.js').Log} log
 * @param {import('./log.js').Logged} logged
 * @returns {string}
 */
function apiNamed(log, { what }) {
  const api = what.kind === 'settle' && what.list === 'promise' ? log.byId(what.of[0])?.local.promise?.[what.of[1]] : '';
  return what.outcome === 'rejected' && OF_ANIMATIONS[api] ? '' : api ?? '';
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
