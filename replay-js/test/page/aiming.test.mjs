import test from 'node:test';
import assert from 'node:assert/strict';
import { createAiming } from '../../page/replay/aiming.js';

const DOCUMENT = {};

/** A window of 1,000 by 800 pixels, whose elements stand where their `box` says; one that `overshoots` moves twice as far as the page is scrolled. */
function aiming(elementAt = (/** @type {number} */ _x, /** @type {number} */ _y) => /** @type {any} */ (null)) {
  const global = { innerWidth: 1000, innerHeight: 800, scrollX: 0, scrollY: 0 };
  let shown = /** @type {any} */ (null);
  return createAiming(/** @type {any} */ ({
    global,
    document: DOCUMENT,
    elementAt,
    boundingBox: (/** @type {any} */ element) => element.box,
    computedStyle: () => ({ direction: 'ltr', overflow: 'auto' }),
    frameOrigin: () => ({ x: 0, y: 0 }),
    scrollIntoView: (/** @type {any} */ element) => {
      shown = element;
      element.box.top = 100;
    },
    scrollTo: (/** @type {any} */ scrolled, /** @type {number} */ left, /** @type {number} */ top) => {
      if (scrolled !== global) {
        scrolled.scrolledBy(left - scrolled.scrollLeft, top - scrolled.scrollTop);
        return;
      }
      const far = shown.overshoots ? 2 : 1;
      shown.box = { ...shown.box, left: shown.box.left + (global.scrollX - left) * far, top: shown.box.top + (global.scrollY - top) * far };
    },
  }));
}

const box = (/** @type {number} */ left, /** @type {number} */ top) => ({ left, top, width: 100, height: 50 });
const event = (/** @type {string} */ type, /** @type {number} */ x, /** @type {number} */ y, rx = 0.5, ry = 0.5) => ({ type, data: { x, y, rx, ry, buttons: type === 'pointerup' ? 0 : 1 } });

test('a press is aimed at the same relative point of a box that is elsewhere', () => {
  assert.deepEqual(aiming().at({ box: box(200, 100) }, event('pointerdown', 50, 25), []), { x: 250, y: 125 });
});

test('who pressed on the text of a field for numbers does not press on its arrows', () => {
  const field = (/** @type {number} */ left) => ({ type: 'number', box: { left, top: 0, width: 48, height: 20 } });
  const press = event('pointerdown', 40, 10);
  assert.deepEqual(aiming().at(field(20), press, []), { x: 38, y: 10 });
  assert.deepEqual(aiming().at(field(16), press, []), { x: 40, y: 10 }, 'a field as wide as it was is pressed where it was');
  assert.deepEqual(aiming().at(field(20), event('pointerdown', 52, 10, 0.9), []), { x: 63.2, y: 10 }, 'the arrows are pressed as arrows');
});

test('what a driver has scrolled to before it pressed is scrolled to in what holds it', () => {
  const row = { ownerDocument: DOCUMENT, box: box(0, 900), parentNode: /** @type {any} */ (null) };
  row.parentNode = {
    nodeType: 1, scrollLeft: 0, scrollTop: 0, clientLeft: 0, clientTop: 0, clientWidth: 300, clientHeight: 200, scrollWidth: 300, scrollHeight: 1200, box: { left: 0, top: 100, width: 300, height: 200 },
    scrolledBy: (/** @type {number} */ _left, /** @type {number} */ top) => (row.box.top -= top),
  };
  const notes = /** @type {string[]} */ ([]);
  const isShown = () => row.box.top < 300;
  const aim = aiming(() => (isShown() ? row : DOCUMENT));
  row.box.top = 500;
  assert.deepEqual(aim.at(row, event('pointerdown', 50, 225), notes), { x: 50, y: 225 });
  assert.equal(notes.length, 1);
});

test('what was pressed on at its very edge is pressed on a little further in, unless something lies over it', () => {
  const page = {};
  const target = { ownerDocument: DOCUMENT, parentNode: page, box: box(200, 100.4) };
  const at = (/** @type {any} */ beside) => aiming((_x, y) => (y >= 102 ? target : beside)).at(target, event('pointerdown', 250, 100, 0.5, 0), []);
  assert.deepEqual(at(page), { x: 250, y: 102.4 });
  assert.deepEqual(at({}), { x: 250, y: 100.4 });
});

test('what is dragged is as far from where it was pressed as it was, however far it lags behind', () => {
  const aim = aiming();
  const card = { box: box(200, 100) };
  aim.at(card, event('pointerdown', 50, 25), []);
  card.box = box(900, 100);
  assert.deepEqual(aim.at(card, event('pointermove', 80, 35, 3.5), []), { x: 280, y: 135 });
  const around = { box: box(0, 0) };
  assert.deepEqual(aim.at({ ...around }, event('pointermove', 50, 25), []), { x: 50, y: 25 }, 'another element is aimed at by its own box');
});

test('what holds the pressed element moves with it, and a shadow root is no end', () => {
  const aim = aiming();
  const host = { box: box(200, 100) };
  const inner = { box: box(210, 110), parentNode: { host } };
  aim.at(inner, event('pointerdown', 60, 35), []);
  assert.deepEqual(aim.at(host, event('pointerup', 70, 45), []), { x: 270, y: 145 });
});

test('a move without a button ends it', () => {
  const aim = aiming();
  const card = { box: box(200, 100) };
  aim.at(card, event('pointerdown', 50, 25), []);
  card.box = box(300, 100);
  const hover = event('pointermove', 50, 25);
  hover.data.buttons = 0;
  assert.deepEqual(aim.at(card, hover, []), { x: 350, y: 125 });
});

test('a target outside the window is scrolled to, and that is noted', () => {
  /** @type {string[]} */
  const notes = [];
  assert.deepEqual(aiming().at({ box: box(0, 2000) }, event('pointerdown', 50, 725), notes), { x: 50, y: 725 }, 'where it was in the window');
  assert.deepEqual(aiming().at({ box: box(0, 2000), overshoots: true }, event('pointerdown', 50, 725), []), { x: 50, y: 125 }, 'where it can be seen');
  assert.deepEqual(notes, ['the target was outside the viewport and was scrolled to']);
});

test('a wheel is turned where the pointer is, whatever has come to lie below it since', () => {
  const aim = aiming();
  const move = event('pointermove', 50, 25);
  move.data.buttons = 0;
  aim.at({ box: box(200, 100) }, move, []);
  const list = { box: { left: 200, top: -600, width: 100, height: 30_000 } };
  assert.deepEqual(aim.at(list, event('wheel', 50, 25, 0.5, 0.04), []), { x: 250, y: 125 });
  assert.deepEqual(aim.at({ box: box(300, 200) }, event('wheel', 10, 10), []), { x: 10, y: 10 }, 'no move came there: as it was in the window');
});

test('of what is higher than the window, a point that can be seen is taken', () => {
  const high = { box: { left: 0, top: 2000, width: 100, height: 30_000 } };
  assert.deepEqual(aiming().at({ ...high, overshoots: true }, event('pointerdown', 50, 25), []), { x: 50, y: 799 });
});
