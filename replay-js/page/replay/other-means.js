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

/**
 * What stands for the log's entry at this place, if it is registered by other means.
 * @param {import('./events.js').Current} event
 * @param {string} list
 * @param {number} place
 */
export function otherAt(event, list, place) {
  const others = byOtherMeans(event);
  for (let i = 0; i < others.length; i += 1) {
    if (others[i].list === list && others[i].place === place) {
      return others[i].entry;
    }
  }
  return undefined;
}

/**
 * How many there are before it of which the log knows by other means.
 * @param {import('./engine.js').Entry} entry
 */
export function othersBefore(entry) {
  const others = entry.list === 'timer' ? byOtherMeans(entry.event) : [];
  let before = 0;
  for (let i = 0; i < others.length; i += 1) {
    before += others[i].entry.index < entry.index ? 1 : 0;
  }
  return before;
}
