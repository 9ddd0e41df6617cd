// Which callback of a replay stands for which of the log; without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pairUp } from '../../page/replay/pairs.js';

/** Timers as `callback` and delay: `'a 10, b 0'`. @param {string} text */
const timers = (text) => (text ? text.split(', ') : []).map((timer) => ({ callback: timer.split(' ')[0], delay: Number(timer.split(' ')[1]) }));

/**
 * @param {string} expected
 * @param {string} actual
 */
const paired = (expected, actual) => Array.from(pairUp('timer', timers(expected), /** @type {any} */ (timers(actual).map((identity) => ({ identity })))), (place) => place ?? '-').join(' ');

test('what is the same is at its place', () => {
  assert.equal(paired('a 1, a 1, b 2', 'a 1, a 1, b 2'), '0 1 2');
  assert.equal(paired('', 'a 1'), '');
  assert.equal(paired('a 1', ''), '');
});

test('behind one that is missing, or one more, the others have moved', () => {
  assert.equal(paired('a 1, a 250, a 250, a 0, a 5', 'a 250, a 250, a 0, a 5'), '- 0 1 2 3');
  assert.equal(paired('a 250, a 0, a 1, a 0', 'a 250, a 0, a 0'), '0 1 - 2');
  assert.equal(paired('a 250, a 0', 'a 250, a 7, a 0'), '0 2');
});

test('another delay is better than none, and the same is better than that', () => {
  assert.equal(paired('a 10, b 1', 'a 12, b 1'), '0 1');
  assert.equal(paired('a 10, a 20', 'a 20'), '- 0');
  assert.equal(paired('a 10, a 20', 'a 30'), '0');
});

test('who stands elsewhere is found by name', () => {
  assert.equal(paired('a 1, b 1, c 1', 'c 1, a 1, b 1'), '1 2 0');
  assert.equal(paired('a 1, b 1', 'b 1, d 1'), '- 0');
});

test('long lists that have nothing in common are compared by name', () => {
  const many = (/** @type {string} */ name, /** @type {number} */ delay) => Array.from({ length: 600 }, () => `${name} ${delay}`).join(', ');
  assert.equal(paired(many('a', 1), many('a', 2)), Array.from({ length: 600 }, (_, i) => i).join(' '));
});
