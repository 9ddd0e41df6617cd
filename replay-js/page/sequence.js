/**
 * Numbers for when the log has none: seeded by event and call, so that they are the same in every replay, and one
 * event's cannot shift another's.
 *
 * The recorder gives them to a page that asks for thousands of random numbers in one event, instead of logging them; the
 * replayer goes on with them where the log ends.
 */
import { imul } from './natives.js';

/**
 * @param {number} event
 * @param {number} call
 * @returns {number} in [0, 1)
 */
export function continueSequence(event, call) {
  let a = imul(event + 1, 0x9e3779b1) ^ imul(call + 1, 0x85ebca6b);
  let value = 0;
  for (let i = 0; i < 2; i += 1) {
    a = (a + 0x6d2b79f5) | 0;
    let t = imul(a ^ (a >>> 15), a | 1);
    t ^= t + imul(t ^ (t >>> 7), t | 61);
    value = value * 0x4000000 + ((t ^ (t >>> 14)) >>> 6);
  }
  return value / 0x10000000000000;
}
