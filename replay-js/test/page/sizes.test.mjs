// Where movements are held while the log tells of sizes; without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLog } from '../../page/replay/log.js';
import { createSizes } from '../../page/replay/sizes.js';

/**
 * A log in which observers 0 and 1 are told at these times, and what moves of which length, seen by whom (who looks at what is in it, if
 * somebody looks at what is around it, too), is put where.
 * @param {[number | null, number][]} told the observer, or none for another event, and the time
 */
function moved(told, length, seenBy, around) {
  const deliveries = told.map(([observer, at], i) => ({ id: i + 2, at, what: observer === null ? { kind: 'timer' } : { kind: 'host', event: 'deliver', of: [0, observer], data: 1 }, local: {} }));
  const log = readLog([
    { id: 0, at: 0, what: { kind: 'script' }, local: { host: ['ResizeObserver', 'ResizeObserver'] } },
    { id: 1, at: 1000, what: { kind: 'dom', type: 'click', gesture: true }, local: {} },
    ...deliveries,
  ]);
  let place = null;
  let now = 1000;
  const realm = { pauseAnimation() {}, setAnimationTime: (_, to) => (place = to) };
  const entry = { event: { id: 0 }, index: seenBy };
  const outer = around === undefined ? [] : [{ event: { id: 0 }, index: around }];
  const sizes = createSizes(realm, log, () => (around === undefined ? [seenBy === undefined ? [] : [entry], [], []] : [[], [entry], outer]), () => now);
  const animation = { transitionProperty: 'height', effect: { target: {} } };
  if (!sizes.hold(animation, length)) {
    return null;
  }
  return deliveries.map(({ id, at, what }) => {
    now = at;
    if (what.event) {
      sizes.reach(id, entry);
    }
    return sizes.hold(animation, length) ? Math.round(place) : length;
  });
}

test('a movement is where it was in each frame that was told of, and at its end in the last', () => {
  assert.deepEqual(moved([[0, 1100], [0, 1200], [0, 1310]], 300, 0), [97, 194, 300]);
});

test('nobody is told of what only paints', () => {
  assert.equal(moved([], 300, 0), null);
  assert.equal(moved([[0, 5000]], 300, 0), null);
});

test('who is told of another movement is not asked when this one is over', () => {
  const told = [[0, 1050], [1, 1051], [0, 1120], [1, 1121], [0, 1210], [1, 1211], [0, 1300]];
  assert.deepEqual(moved(told, 200, 1).slice(-2), [200, 200]);
  assert.deepEqual(moved(told, 300, 0).slice(-3), [210, 210, 300]);
});

test('on a slow machine the last frame comes long after the end, and on one that had begun before it, before', () => {
  assert.deepEqual(moved([[0, 1070], [0, 1240], [0, 1610]], 300, 0), [34, 118, 300]);
  assert.deepEqual(moved([[0, 1095], [0, 1130], [0, 1157]], 200, 0), [121, 166, 200]);
});

test('a last frame that is late is told of, and what happens before it finds the end', () => {
  const before = [[0, 1017], [0, 1033], [0, 1050], [0, 1067], [0, 1083], [0, 1100], [0, 1117]];
  assert.deepEqual(moved([...before, [0, 1180]], 120, 0).slice(-2), [78, 120]);
  assert.deepEqual(moved([...before, [null, 1150], [0, 1180], [0, 1197]], 120, 0).slice(-4), [71, 120, 110, 120]);
});

test('who looks at what is in it, and was told of that alone, does not say when it ends', () => {
  assert.deepEqual(moved([[1, 1016], [0, 1017], [0, 1100], [0, 1200], [0, 1310]], 300, 1, 0).slice(-2), [194, 300]);
  assert.deepEqual(moved([[1, 1100], [1, 1200], [0, 1201], [1, 1310], [0, 1390]], 300, 1, 0).slice(-2), [300, 300]);
});

test('where nobody looks at what moves, the end is where somebody is told for the last time', () => {
  assert.deepEqual(moved([[0, 1016], [0, 1200], [0, 1310], [1, 1390]], 300, undefined).slice(0, 3), [15, 194, 300]);
});
