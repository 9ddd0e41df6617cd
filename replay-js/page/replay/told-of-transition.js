/**
 * What moves in a view transition tells of it, and here it is over before anything moves (`view-transitions.js`): the page is told as the log
 * was. How long each took is in no log but by the time between its events.
 */
import { slice } from '../natives.js';

const MOVED = '::view-transition';
const LAST_OF_IT = 'animationend';
const MS_PER_SECOND = 1_000;

/** @param {any} what */
function movesInTransition({ data }) {
  return data?.animation !== undefined && typeof data.pseudo === 'string' && slice(data.pseudo, 0, MOVED.length) === MOVED;
}

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./log.js').Log} log
 */
export function createToldOfTransition({ global, interfaces }, log) {
  const has = typeof global.document.startViewTransition === 'function';

  /**
   * The event, unless this browser moves nothing in such a way, or it tells of something else.
   * @param {import('./log.js').Logged} logged
   * @returns {Event | null}
   */
  return function toldOfTransition({ id, at, what }) {
    if (!has || !movesInTransition(what)) {
      return null;
    }
    const { animation, pseudo } = what.data;
    const isBegin = (/** @type {import('./log.js').Logged} */ { what: { type, data } }) => type === 'animationstart' && data?.animation === animation && data.pseudo === pseudo;
    const began = what.type === LAST_OF_IT ? log.lastBefore(id, isBegin) : undefined;
    const elapsedTime = began ? (at - began.at) / MS_PER_SECOND : 0;
    return new interfaces.AnimationEvent(what.type, /** @type {any} */ ({ __proto__: null, bubbles: true, animationName: animation, pseudoElement: pseudo, elapsedTime }));
  };
}
