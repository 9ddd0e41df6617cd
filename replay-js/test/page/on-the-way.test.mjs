// What is scrolled smoothly stays where it was until the log tells of it; without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLog } from '../../page/replay/log.js';
import { createOnTheWay } from '../../page/replay/on-the-way.js';

class Element {
  left = 0;
  top = 0;
  nodeType = 1;
  get scrollLeft() {
    return this.left;
  }
  get scrollTop() {
    return this.top;
  }
}

/**
 * Where a window is after a page has scrolled it to 900, and the log tells of these places later.
 * @param {{tells: [number, number][], behavior?: string, styles?: string, isAtOnce?: boolean}} how
 */
function scrolled({ tells, behavior, styles = 'auto', isAtOnce = false }) {
  const root = new Element();
  const events = tells.map(([at, top], i) => ({ id: i + 1, at, what: { kind: 'dom', type: 'scroll', target: { object: 'document' }, data: { scroll: [0, top, 0, 2000] } }, local: {} }));
  const log = readLog([{ id: 0, at: 0, what: { kind: 'dom', type: 'click' }, local: {} }, ...events]);
  const realm = {
    global: { Element },
    document: { scrollingElement: root },
    computedStyle: () => ({ scrollBehavior: styles }),
    scrollTo: (/** @type {Element} */ node, /** @type {number} */ left, /** @type {number} */ top) => Object.assign(node, { left, top }),
  };
  const parts = /** @type {any[]} */ ([realm, log, {}, { nearest: () => 0 }, { isAtOnce: () => isAtOnce }]);
  const onTheWay = createOnTheWay(.../** @type {[any, any, any, any, any]} */ (parts));
  const places = onTheWay.before(undefined);
  root.top = 900;
  onTheWay.back(places, behavior);
  return root.top;
}

test('what is on its way in the log stays where it was', () => {
  assert.equal(scrolled({ behavior: 'smooth', tells: [[30, 12], [60, 80], [300, 900]] }), 0);
  assert.equal(scrolled({ styles: 'smooth', tells: [[30, 12]] }), 0);
  assert.equal(scrolled({ isAtOnce: true, tells: [[30, 12]] }), 0);
});

test('what the log has there at once is there', () => {
  assert.equal(scrolled({ behavior: 'smooth', tells: [[30, 900]] }), 900);
  assert.equal(scrolled({ styles: 'smooth', tells: [[30, 890]] }), 900);
});

test('what nobody wants smooth, or nobody tells of, is there', () => {
  assert.equal(scrolled({ tells: [[30, 12]] }), 900);
  assert.equal(scrolled({ behavior: 'instant', styles: 'smooth', tells: [[30, 12]] }), 900);
  assert.equal(scrolled({ behavior: 'smooth', tells: [] }), 900);
  assert.equal(scrolled({ behavior: 'smooth', tells: [[3000, 12]] }), 900);
});
