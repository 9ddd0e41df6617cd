/**
 * Which of the callbacks and requests that an event has registered stands for which of the log's. Where it has registered one more, or
 * one less, those behind it have moved up or down; and in a page whose library runs everything through one function of its own they
 * are all of the same name. So the two lists are laid beside each other in their order, in such a way that as many as can be are of
 * the same name, and of the same delay.
 */
import { append } from '../natives.js';
import { identityText } from './registrations.js';

/** Of the same name and delay. */
const SAME = 2;

/** Two lists that differ in more places than that are compared by name alone. */
const MOST_PAIRS = 250_000;

/**
 * The same for an event, as far as it has come.
 * @param {string} list
 * @param {import('./events.js').Current} event
 * @returns {(number | undefined)[]}
 */
export function pairsOf(list, event) {
  const entries = event.registered[list] ?? [];
  const before = event.pairs[list];
  if (before?.count === entries.length) {
    return before.partners;
  }
  const partners = pairUp(list, event.logged?.local[list] ?? [], entries);
  event.pairs[list] = { count: entries.length, partners };
  return partners;
}

/**
 * @typedef {{name: string, delay: number | undefined}} Known an entry of a list, as it is compared
 */

/**
 * @param {string} list
 * @param {any[]} items of the log
 * @param {import('./engine.js').Entry[]} entries
 * @returns {(number | undefined)[]} the places of the entries, by the log's
 */
export function pairUp(list, items, entries) {
  const expected = known(list, items);
  const actual = known(list, identities(entries));
  /** @type {(number | undefined)[]} */
  const partners = [];
  let from = 0;
  while (from < expected.length && from < actual.length && likeness(expected[from], actual[from]) === SAME) {
    partners[from] = from;
    from += 1;
  }
  let to = expected.length;
  const moved = actual.length - expected.length;
  while (to > from && to + moved > from && likeness(expected[to - 1], actual[to + moved - 1]) === SAME) {
    to -= 1;
    partners[to] = to + moved;
  }
  if ((to - from) * (to + moved - from) <= MOST_PAIRS) {
    align(expected, actual, from, to, to + moved, partners);
  }
  pairByName(expected, actual, partners);
  return partners;
}

/**
 * @param {Known} one
 * @param {Known} other
 */
function likeness(one, other) {
  if (one.name !== other.name) {
    return 0;
  }
  return one.delay === other.delay ? SAME : 1;
}

/**
 * The longest way through both lists, each pair of which counts by its likeness.
 * @param {Known[]} expected
 * @param {Known[]} actual
 * @param {number} from
 * @param {number} to of the log's
 * @param {number} end of the others
 * @param {(number | undefined)[]} partners
 */
function align(expected, actual, from, to, end, partners) {
  const width = end - from + 1;
  /** How much the rests behind two places have in common. @type {number[]} */
  const common = [];
  for (let i = to; i >= from; i -= 1) {
    for (let k = end; k >= from; k -= 1) {
      const at = (i - from) * width + k - from;
      if (i === to || k === end) {
        common[at] = 0;
        continue;
      }
      const like = likeness(expected[i], actual[k]);
      const paired = like ? like + common[at + width + 1] : 0;
      const apart = common[at + 1] > common[at + width] ? common[at + 1] : common[at + width];
      common[at] = paired > apart ? paired : apart;
    }
  }
  let i = from;
  let k = from;
  while (i < to && k < end) {
    const at = (i - from) * width + k - from;
    const like = likeness(expected[i], actual[k]);
    if (like && common[at] === like + common[at + width + 1]) {
      partners[i] = k;
      i += 1;
      k += 1;
    } else if (common[at] === common[at + width]) {
      i += 1;
    } else {
      k += 1;
    }
  }
}

/**
 * Those that stand in another order.
 * @param {Known[]} expected
 * @param {Known[]} actual
 * @param {(number | undefined)[]} partners
 */
function pairByName(expected, actual, partners) {
  const isTaken = takenOf(partners);
  /** @type {any} */
  const free = { __proto__: null };
  for (let k = actual.length - 1; k >= 0; k -= 1) {
    if (!isTaken[k]) {
      append((free[actual[k].name] ??= []), k);
    }
  }
  for (let i = 0; i < expected.length; i += 1) {
    const places = free[expected[i].name];
    if (partners[i] === undefined && places?.length > 0) {
      partners[i] = places[places.length - 1];
      places.length -= 1;
    }
  }
}

/**
 * Which places have a partner.
 * @param {(number | undefined)[]} partners
 * @returns {boolean[]}
 */
export function takenOf(partners) {
  /** @type {boolean[]} */
  const isTaken = [];
  for (let i = 0; i < partners.length; i += 1) {
    const place = partners[i];
    if (place !== undefined) {
      isTaken[place] = true;
    }
  }
  return isTaken;
}

/**
 * @param {string} list
 * @param {any[]} items
 */
function known(list, items) {
  /** @type {Known[]} */
  const found = [];
  for (let i = 0; i < items.length; i += 1) {
    append(found, { name: identityText(list, items[i]), delay: items[i].delay });
  }
  return found;
}

/** @param {import('./engine.js').Entry[]} entries */
function identities(entries) {
  /** @type {any[]} */
  const found = [];
  for (let i = 0; i < entries.length; i += 1) {
    append(found, entries[i].identity);
  }
  return found;
}
