// Which promises of the browser's own settle in one go; without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLog } from '../../page/replay/log.js';
import { settledWith } from '../../page/replay/settled-together.js';

/**
 * Ids of those that settle with the first: `'1.0 Image, …'`, each a time, what it is, whether it is rejected, whether the page has taken
 * it back, and whether it asks for something.
 * @param {string} text
 */
function together(text) {
  const settled = text.split(', ').map((one) => one.split(' '));
  const asked = { id: 0, at: 0, what: { kind: 'dom', type: 'click' }, local: { promise: settled.map(([, api]) => api) } };
  const events = settled.map(([at, , ...words], i) => ({
    id: i + 1,
    at: Number(at),
    what: { kind: 'settle', list: 'promise', of: [0, i], outcome: words.includes('rejected') ? 'rejected' : 'fulfilled' },
    local: words.includes('asks') ? { random: [0.5] } : {},
  }));
  const log = readLog([asked, ...events]);
  const isTakenBack = (/** @type {any} */ { id }) => settled[id - 1].includes('taken');
  return Array.from(settledWith(log, /** @type {any} */ (log.byId(1)), isTakenBack), ({ id }) => id).join(' ');
}

test('what waits for one font goes on after all have been told', () => {
  assert.equal(together('10 FontFaceSet.load, 10.1 FontFaceSet.load, 10.1 FontFaceSet.load asks'), '1 2 3');
  assert.equal(together('10 FontFaceSet.load rejected, 10.1 FontFaceSet.load rejected'), '1 2');
});

test('who has asked for something was alone in its turn', () => {
  assert.equal(together('10 FontFaceSet.load asks, 10.1 FontFaceSet.load'), '1');
});

test('what comes later, or is of another kind, is of another turn', () => {
  assert.equal(together('10 FontFaceSet.load, 13 FontFaceSet.load'), '1');
  assert.equal(together('10 FontFaceSet.load, 10 Clipboard.readText'), '1');
  assert.equal(together('10 Response.text, 10 Response.text'), '1');
});

test('animations end in one frame, be it a long one, and are called off otherwise', () => {
  assert.equal(together('10 Animation.finished, 40 Animation.finished'), '1 2');
  assert.equal(together('10 Animation.ready, 40 Animation.ready'), '1');
  assert.equal(together('10 Animation.finished rejected, 10 Animation.finished rejected'), '1');
  assert.equal(together('10 Animation.ready, 10 Animation.finished'), '1');
});

test('what is taken back by one call is told together', () => {
  assert.equal(together('10 fetch rejected taken, 10.1 fetch rejected taken, 10.2 fetch rejected taken'), '1 2 3');
  assert.equal(together('10 fetch rejected, 10.1 fetch rejected taken'), '1');
  assert.equal(together('10 fetch rejected taken asks, 10.1 fetch rejected taken'), '1');
  assert.equal(together('10 fetch rejected taken, 13 fetch rejected taken'), '1');
});
