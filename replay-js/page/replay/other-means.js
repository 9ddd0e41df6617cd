/**
 * The same function, registered as a timer where the log has a frame of animation or an idle callback: what some do in browsers that
 * they take for Safari. It runs at its place, and what comes of it is measured.
 */
import { append } from '../natives.js';
import { pairsOf, takenOf } from './pairs.js';
import { BESIDE_TIMERS, identityText } from './registrations.js';

/**
 * What an event has registered by other means than the log has it.
 * @param {import('./events.js').Current} event
 * @returns {{list: string, place: number, entry: import('./engine.js').Entry}[]} and where the log has it
 */
export function byOtherMeans(event) {
  /** @type {{list: string, place: number, entry: import('./engine.js').Entry}[]} */
  const found = [];
  const timers = event.registered.timer ?? [];
  const isTaken = timers.length > 0 ? takenOf(pairsOf('timer', event)) : [];
  for (const list in timers.length > 0 ? BESIDE_TIMERS : undefined) {
    const items = event.logged?.local[list] ?? [];
    const pairs = items.length > 0 ? pairsOf(list, event) : [];
    for (let place = 0; place < items.length; place += 1) {
      const name = identityText(list, items[place]);
      for (let k = 0; pairs[place] === undefined && k < timers.length; k += 1) {
        if (!isTaken[k] && identityText('timer', timers[k].identity) === name) {
          isTaken[k] = true;
          append(found, { list, place, entry: timers[k] });
          break;
        }
      }
    }
  }
  return found;
}
