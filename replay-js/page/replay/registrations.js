/** Whether an event registered what it registered in the recording: callbacks, requests, promises, host objects. */
import { append, splice } from '../natives.js';
import { lackedFor } from './lacked.js';
import { addressText } from './made-addresses.js';

export const LISTS = ['timer', 'frame', 'idle', 'xhr', 'fetch', 'promise', 'host', 'message'];

/** A timer may stand for these (`other-means.js`). */
export const BESIDE_TIMERS = { __proto__: null, frame: true, idle: true };

/**
 * How an entry of a list is known, as text.
 * @param {string} list
 * @param {any} identity
 */
export function identityText(list, identity) {
  switch (list) {
    case 'timer':
      return identity.callback;
    case 'xhr':
    case 'fetch':
      return identity.method + ' ' + addressText(identity.url) + (identity.body ? ' body ' + identity.body : '');
    default:
      return identity;
  }
}

/**
 * @param {Pick<import('./log.js').Logged, 'id' | 'local'>} logged
 * @param {any} registered
 * @param {import('./findings.js').Findings} findings
 * @param {any} global
 */
export function compareRegistrations(logged, registered, findings, global) {
  /** @type {any} */
  const differences = { __proto__: null };
  for (let i = 0; i < LISTS.length; i += 1) {
    const list = LISTS[i];
    const expected = texts(list, logged.local[list] ?? []);
    const actual = texts(list, registered[list] ?? [], true);
    if (expected.length > 0 || actual.length > 0) {
      differences[list] = { missing: without(expected, actual), extra: without(actual, expected) };
    }
  }
  for (const list in BESIDE_TIMERS) {
    const missing = differences[list]?.missing ?? [];
    for (let i = missing.length - 1; i >= 0; i -= 1) {
      if (takeOut(differences.timer?.extra ?? [], missing[i])) {
        findings.diverged(logged.id, 'wrong-callback', list + ' ' + missing[i], 'timer ' + missing[i]);
        splice(missing, i, 1);
      }
    }
  }
  for (let i = 0; i < LISTS.length; i += 1) {
    const found = differences[LISTS[i]];
    if (found) {
      compareList(logged.id, LISTS[i], found, findings, global);
    }
  }
}

/**
 * @param {string[]} list
 * @param {string} name
 */
function takeOut(list, name) {
  for (let i = 0; i < list.length; i += 1) {
    if (list[i] === name) {
      splice(list, i, 1);
      return true;
    }
  }
  return false;
}

/**
 * @param {number} id
 * @param {string} list
 * @param {{missing: string[], extra: string[]}} found
 * @param {import('./findings.js').Findings} findings
 * @param {any} global
 */
function compareList(id, list, { missing, extra }, findings, global) {
  const isRequest = list === 'xhr' || list === 'fetch';
  const kind = isRequest ? 'request' : 'callback';
  for (let i = 0; i < missing.length || i < extra.length; i += 1) {
    if (list === 'message') {
      findings.diverged(id, 'message-differs', missing[i] ?? 'nothing', extra[i] ?? 'nothing');
    } else if (i < missing.length && i < extra.length) {
      findings.diverged(id, isRequest ? 'request-differs' : 'wrong-callback', list + ' ' + missing[i], list + ' ' + extra[i]);
    } else if (i < missing.length) {
      findings.diverged(id, kind + '-missing', list + ' ' + missing[i], 'nothing', lackedFor(global, list, missing[i]));
    } else {
      findings.diverged(id, kind + '-extra', 'nothing', list + ' ' + extra[i]);
    }
  }
}

/**
 * @param {string} list
 * @param {any[]} items
 * @param {boolean} [entries]
 */
function texts(list, items, entries) {
  /** @type {string[]} */
  const found = [];
  for (let i = 0; i < items.length; i += 1) {
    append(found, identityText(list, entries ? items[i].identity : items[i]));
  }
  return found;
}

/**
 * The members of one list that have no partner in the other.
 * @param {string[]} list
 * @param {string[]} other
 */
function without(list, other) {
  /** @type {any} */
  const counts = { __proto__: null };
  for (let i = 0; i < other.length; i += 1) {
    counts[other[i]] = (counts[other[i]] ?? 0) + 1;
  }
  /** @type {string[]} */
  const left = [];
  for (let i = 0; i < list.length; i += 1) {
    if (counts[list[i]] > 0) {
      counts[list[i]] -= 1;
    } else {
      append(left, list[i]);
    }
  }
  return left;
}
