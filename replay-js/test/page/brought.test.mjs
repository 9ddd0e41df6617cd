// What waits for its turn, and what comes to nobody any more; without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasSeen, takeSeen } from '../../page/replay/brought.js';
import { isOfWindow } from '../../page/replay/elsewhere.js';
import { createFramesTakenAway } from '../../page/replay/frames-taken-away.js';
import { readLog } from '../../page/replay/log.js';
import { createObserved } from '../../page/replay/observed.js';

/** What an engine brings at once. */
const bring = (observed, entry, observer, ...entries) => {
  observed.bring(entry, [entries, observer]);
  entry.arrivals.push({ type: 'deliver', given: [entries, observer], count: entries.length });
};

/** A patcher that gives the page's methods to the test. */
function patched(observed) {
  const methods = {};
  const names = ['unobserve', 'disconnect'];
  const global = Object.fromEntries(['ResizeObserver', 'IntersectionObserver'].map((name) => [name, { prototype: { name } }]));
  observed.install({ global }, {
    method: (prototype, name, make) => (methods[`${prototype.name} ${name}`] = make(() => name)),
  });
  assert.equal(Object.keys(methods).length, 2 * names.length);
  return methods;
}

test('an observer is not told of what it looks at no more', () => {
  const observed = createObserved({ contains: () => false }, undefined, true);
  const methods = patched(observed);
  const entry = { identity: 'ResizeObserver', arrivals: [] };
  const [observer, other, one, two] = [{}, {}, {}, {}];
  bring(observed, entry, observer, { target: one }, { target: two });
  assert.equal(methods['ResizeObserver unobserve'].call(other, one), 'unobserve');
  assert.ok(hasSeen(entry, 2));
  methods['ResizeObserver unobserve'].call(observer, one);
  assert.ok(!hasSeen(entry, 2));
  assert.deepEqual(takeSeen(entry, Infinity).given[0], [{ target: two }]);
});

test('an observer that looks at nothing is told nothing', () => {
  const observed = createObserved({ contains: () => false }, undefined, true);
  const methods = patched(observed);
  const entry = { identity: 'IntersectionObserver', arrivals: [] };
  const observer = {};
  bring(observed, entry, observer, { target: {} });
  methods['IntersectionObserver disconnect'].call(observer);
  assert.deepEqual(entry.arrivals, []);
});

test('of two sizes of an element the later one is told, and every time that something came into view', () => {
  const observed = createObserved({ contains: () => false }, undefined, true);
  const target = {};
  for (const [identity, told] of [['ResizeObserver', [2]], ['IntersectionObserver', [1, 2]]]) {
    const entry = { identity, arrivals: [] };
    const observer = {};
    bring(observed, entry, observer, { target, at: 1 });
    bring(observed, entry, observer, { target, at: 2 });
    assert.deepEqual(takeSeen(entry, Infinity).given[0].map(({ at }) => at), told);
  }
});

test('an observer is told no more at once than the log has, and of the rest afterwards', () => {
  const observed = createObserved({ contains: () => false }, undefined, true);
  const entry = { identity: 'IntersectionObserver', arrivals: [] };
  const observer = {};
  bring(observed, entry, observer, { at: 1 }, { at: 2 });
  bring(observed, entry, observer, { at: 3 });
  assert.deepEqual(takeSeen(entry, 2).given, [[{ at: 1 }, { at: 2 }], observer]);
  assert.ok(hasSeen(entry, 1) && !hasSeen(entry, 2));
  assert.deepEqual(takeSeen(entry, Infinity).given, [[{ at: 3 }], observer]);
  assert.deepEqual(entry.arrivals, []);
});

test('a window that comes or goes tells the field that has the focus, if it can be seen', () => {
  const field = { nodeType: 1, width: 100 };
  const realm = {
    global: {},
    document: {},
    hasFocus: (element) => element === field,
    boundingBox: ({ width }) => ({ width, height: 20 }),
  };
  const is = (type, target) => isOfWindow(realm, type, target);
  assert.ok(is('blur', realm.global) && is('focus', { nodeType: 9 }) && is('focusout', field) && is('change', field) && is('focus', field));
  assert.ok(!is('click', field) && !is('blur', { nodeType: 1, width: 100 }) && !is('blur', null));
  field.width = 0;
  assert.ok(!is('blur', field));
});

test('the load of a frame waits for what the frame has told, and is nobody’s once that has taken it away', () => {
  const what = (type) => ({ kind: 'dom', type, target: { object: 'window' } });
  const log = readLog([{ id: 0, at: 0, what: what('message') }, { id: 1, at: 0, what: { ...what('pointerdown'), gesture: true } }, { id: 2, at: 0, what: what('message') }]);
  const frames = createFramesTakenAway({ isConnected: (element) => element.there }, log);
  const [gone, stays] = [{ localName: 'iframe', there: false }, { localName: 'iframe', there: true }];
  assert.ok(frames.keep('a', 'load', gone) && frames.keep('b', 'load', stays));
  assert.ok(!frames.keep('c', 'load', { localName: 'img' }) && !frames.keep('d', 'error', gone));
  assert.deepEqual(frames.told(), []);
  log.byId(0).done = true;
  assert.deepEqual(frames.told(), [{ event: 'b', target: stays }]);
  // What is told after a person has done something is not waited for.
  assert.ok(!frames.keep('e', 'load', stays));
});
