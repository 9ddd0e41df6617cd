// How far a change reaches, told from selectors alone: no browser is needed for that.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReach, handsDown } from '../../page/collect/reach.js';
import { resolveNested } from '../../page/collect/selectors.js';

const dom = {
  exec: (pattern, text) => pattern.exec(text),
  lower: text => text.toLowerCase(),
  sliceText: (text, from, to) => text.slice(from, to),
  findText: (text, part) => text.indexOf(part),
  makeMap: () => new Map(),
  mapGet: (map, key) => map.get(key),
  mapSet: (map, key, value) => map.set(key, value),
};

const reachOf = (...selectors) => createReach(dom, selectors.map(text => ({ text, inherited: false })), []);
const page = { tag: 'html', parent: null, names: [], values: [] };
const element = (tag, parent = page, classes = '') => ({ tag, parent, names: ['class'], values: [classes] });
const targets = reach => [...reach.takeTargets()].map(([text, { within }]) => [text, ...within.map(record => record.tag)]);

test('that the pointer is over the page is nothing to a button', () => {
  const reach = reachOf('.button:hover .icon');
  assert.equal(reach.ofProbe(reach.who(page, ['class'], ['']), ':hover'), 1);
  assert.deepEqual(targets(reach), []);
  reach.ofProbe(reach.who(element('a'), ['class'], ['Button']), ':hover');
  assert.deepEqual(targets(reach), [['.icon', 'a']]);
});

test('what an element no longer has counts as what it has', () => {
  const reach = reachOf('.a.b i');
  reach.ofAttribute(reach.who(element('p', page, 'a b'), ['class'], ['a']), 'class', 'a b', 'a');
  assert.deepEqual(targets(reach), [['i', 'p']]);
});

test('siblings are asked for below the parent', () => {
  const reach = reachOf('.a + .b .c');
  reach.ofAttribute(reach.who(element('p', element('div')), ['class'], ['a']), 'class', '', 'a');
  assert.deepEqual(targets(reach), [['.c', 'div']]);
});

test('a bracket may mean another element, and is not asked for', () => {
  const reach = reachOf('p:not(.a .b)');
  assert.equal(reach.ofAttribute(reach.who(element('div', page, 'a'), ['class'], ['']), 'class', 'a', ''), 0);
  assert.deepEqual(targets(reach), [['p', 'div']]);
});

test('children that come are nothing to those who can be none of them', () => {
  const reach = reachOf('li:first-child b', 'h1 + p i');
  reach.ofPosition(element('ul'), [element('li'), element('li')]);
  assert.deepEqual(targets(reach), [['b', 'ul']]);
  reach.ofPosition(element('div'), [element('h1'), element('p')]);
  assert.deepEqual(targets(reach), [['i', 'div']]);
});

test('what can not be asked for is all that is below', () => {
  assert.equal(reachOf('.a *').ofAttribute({ looks: null, within: page, withinParent: page }, 'class', '', 'a'), 2);
  assert.equal(reachOf('.a::part(x)').ofAttribute({ looks: null, within: page, withinParent: page }, 'class', '', 'a'), 2);
});

test('escaped brackets are letters', () => {
  const reach = reachOf('.w-\\[10px\\].on', '.p-\\(--x\\):not(.a .b).on i');
  assert.equal(reach.ofAttribute(reach.who(element('p', page, 'w-[10px]'), ['class'], ['w-[10px] on']), 'class', 'w-[10px]', 'w-[10px] on'), 1);
  reach.ofAttribute(reach.who(element('p', page, 'p-(--x)'), ['class'], ['p-(--x) on']), 'class', 'p-(--x)', 'p-(--x) on');
  assert.deepEqual(targets(reach), [['i', 'p']]);
  assert.equal(resolveNested(dom, '.a\\,b &', '.x .y'), '.a\\,b :is(.x .y)');
  assert.equal(resolveNested(dom, '.\\[\\&_p\\] &', '.x .y'), '.\\[\\&_p\\] :is(.x .y)');
});

test('a nested selector is taken with what is around it', () => {
  assert.equal(resolveNested(dom, '&:hover', '.a .b'), '.a .b:hover');
  assert.equal(resolveNested(dom, '> i, & + &', '.a, .b'), '.a > i, .b > i, :is(.a, .b) + :is(.a, .b)');
  assert.equal(resolveNested(dom, '.c &', '.a .b'), '.c :is(.a .b)');
  assert.equal(resolveNested(dom, '&div', 'p'), ':is(p)div');
});

test('who is shown in a slot is asked for itself, and what shows the slot reaches all of them', () => {
  const reach = reachOf('::slotted(.menu:hover)', '.bar.open ::slotted(*)');
  assert.equal(reach.ofProbe(reach.who(element('p', page, 'menu'), ['class'], ['menu']), ':hover'), 1);
  assert.equal(reach.ofAttribute(reach.who(element('div', page, 'bar'), ['class'], ['bar open']), 'class', 'bar', 'bar open'), 2);
});

test('custom properties are handed down where they are set, not where they are used, and so is what only some elements show', () => {
  for (const [text, expected] of [
    ['color: var(--ink);', false],
    ['margin: -1px; color: red', false],
    ['--ink: red;', true],
    ['color: red; --ink: red;', true],
    ['color: red;\n/* said */ --ink: red', true],
    ['list-style: none;', true],
    ['color: red; Fill: blue', true],
    ['background: fill', false],
    ['stroke-width: 2px', true],
  ]) {
    assert.equal(handsDown(dom, text), expected, text);
  }
  assert.equal(reachOf().ofAttribute(reachOf().who(element('p'), [], []), 'style', null, 'top: var(--y)'), 1);
});
