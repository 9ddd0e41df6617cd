/**
 * Notches of a wheel are no input a driver gives: it gives pixels, and each engine makes its own notches of them.
 */
import { defineProperty } from '../natives.js';

/** What Gecko has instead of `mousewheel`, which elsewhere is the same event as `wheel`. */
export const LINES_TURNED = 'DOMMouseScroll';
const NOTCH = 120;
const LINES_OF_A_NOTCH = 3;

/**
 * The page sees the log's notches.
 * @param {import('./log.js').Logged} logged
 * @param {any} event
 * @param {string} type of the event
 */
export function turnAsLogged({ what }, event, type) {
  const turned = what.data?.wheel;
  if (turned && type === LINES_TURNED) {
    const down = turned[1] !== 0;
    defineProperty(event, 'detail', { value: -(down ? turned[1] : turned[0]) / NOTCH * LINES_OF_A_NOTCH, configurable: true });
  } else if (turned && event.wheelDeltaX !== undefined) {
    defineProperty(event, 'wheelDeltaX', { value: turned[0], configurable: true });
    defineProperty(event, 'wheelDeltaY', { value: turned[1], configurable: true });
    // Of both, as engines have it: down unless there is no down.
    defineProperty(event, 'wheelDelta', { value: turned[1] || turned[0], configurable: true });
  }
}
