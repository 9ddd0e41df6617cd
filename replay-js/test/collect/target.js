// Describing and finding targets.
import { describeTarget } from '../../page/target/describe.js';
import { findTarget, looksGenerated } from '../../page/target/find.js';
import { captureMoreNodes } from '../../page/target/more-nodes.js';
import { check, equal, open, test } from './harness.js';

async function describe(html, selector) {
  const page = await open('<!doctype html><body>' + html);
  return describeTarget(page.document.querySelector(selector), captureMoreNodes(page));
}

/** Describes an element of one page and looks for it in another. */
async function refind(before, selector, after) {
  const target = await describe(before, selector);
  const page = await open('<!doctype html><body>' + after);
  const found = findTarget(target, page.document, captureMoreNodes(page));
  return { ...found, html: found.element && found.element.outerHTML };
}

const NAMES = [
  ['<button>Save <b>all</b></button>', 'button', 'Save all'],
  ['<button aria-label="Close">×</button>', 'button', 'Close'],
  ['<h2 id=t>Big  title</h2><section aria-labelledby="t none"></section>', undefined, 'Big title', 'section'],
  ['<label for=x>Your name</label><input id=x>', 'textbox', 'Your name', 'input'],
  ['<label><input type=checkbox> I agree</label>', 'checkbox', 'I agree', 'input'],
  ['<input placeholder="Search…">', 'textbox', 'Search…'],
  ['<input type=search title="Find" placeholder=x>', 'searchbox', 'Find'],
  ['<input type=submit value=Go>', 'button', 'Go'],
  ['<input type=image alt="Buy">', 'button', 'Buy'],
  ['<img alt="A cat">', 'img', 'A cat'],
  ['<img alt="">', 'presentation', undefined],
  ['<a href=x><img alt="Home"> page</a>', 'link', 'Home page', 'a'],
  ['<a>no link</a>', undefined, undefined],
  ['<select><option>One</select>', 'combobox', undefined],
  ['<select multiple></select>', 'listbox', undefined],
  ['<div role="tab switch">Tab <span aria-hidden=true>!</span></div>', 'tab', 'Tab'],
  ['<fieldset><legend>Address</legend></fieldset>', 'group', 'Address'],
  ['<table><caption>Prices</caption></table>', 'table', 'Prices'],
  ['<svg><title>Chart</title></svg>', undefined, 'Chart'],
  ['<details><summary>More</summary></details>', undefined, 'More', 'summary'],
  ['<input type=hidden>', undefined, undefined],
  ['<input list=l type=email>', 'combobox', undefined],
];

for (const [html, role, name, selector] of NAMES) {
  test(`role and name of ${html}`, async () => {
    const target = await describe(html, selector ?? 'body > *');
    equal([target.role, target.name], [role, name], 'role and name');
  });
}

test('a target is described by every locator it has, and each is bounded', async () => {
  const target = await describe(`<form><p><button id=go data-testid="a&quot;b" name=n>${'long text '.repeat(50)}</button>`, 'button');
  equal(target.object, 'node');
  equal(target.id, 'go');
  equal(target.test_id, '[data-testid="a\\"b"]');
  equal(target.path, 'html>body>form:1>p:1>button:1');
  equal([target.name.length, target.text.length], [80, 80]);
});

test('the window, the document and text have their own descriptions', async () => {
  const page = await open('<!doctype html><body><p>one <b>two</b></p>');
  const nodes = captureMoreNodes(page);
  equal(describeTarget(page, nodes), { object: 'window' });
  equal(describeTarget(page.document, nodes), { object: 'document' });
  equal(describeTarget(page.document.querySelector('p').firstChild, nodes).path, 'html>body>p:1');
  equal(describeTarget(new page.EventTarget(), nodes), { object: 'other' });
  equal(findTarget({ object: 'window' }, page.document, nodes).element === page, true);
});

test('a path goes into shadow roots and back', async () => {
  const page = await open('<!doctype html><body><p>x</p><div></div><div></div>');
  const host = page.document.querySelectorAll('div')[1];
  host.attachShadow({ mode: 'open' }).innerHTML = '<i></i><button>in</button>';
  const inner = host.shadowRoot.querySelector('button');
  const nodes = captureMoreNodes(page);
  const target = describeTarget(inner, nodes);
  equal(target.path, 'html>body>div:2>#shadow>button:1');
  const found = findTarget(target, page.document, nodes);
  check(found.element === inner, 'the button in the shadow is found');
  equal(found.notes, []);
});

test('a closed shadow root is searched when its root is known', async () => {
  const page = await open('<!doctype html><body><div></div>');
  const host = page.document.querySelector('div');
  const root = host.attachShadow({ mode: 'closed' });
  root.innerHTML = '<button>in</button>';
  const nodes = captureMoreNodes(page);
  const target = describeTarget(root.firstChild, nodes);
  const found = findTarget(target, page.document, nodes, element => (element === host ? root : element.shadowRoot));
  check(found.element === root.firstChild, 'the button in the closed root is found');
});

test('the same page gives the same element, with nothing to note', async () => {
  const html = '<div><button id=a>One</button><button>Two</button></div>';
  const found = await refind(html, 'button:nth-child(2)', html);
  equal([found.html, found.notes], ['<button>Two</button>', []]);
  equal(found.used, ['role', 'name', 'text', 'path']);
});

test('an element that moved is found by its id', async () => {
  const found = await refind('<p><button id=go>Go</button>', 'button', '<section><div><button>Go</button><button id=go>Go</button></div></section>');
  equal(found.html, '<button id="go">Go</button>');
  check(/although path differs/.test(found.notes[0]), found.notes[0]);
});

test('a generated id that now names another element is outvoted', async () => {
  const found = await refind('<p><button id=":r1:">Save</button>', 'button', '<p><button id=":r3:">Save</button><button id=":r1:">Delete</button>');
  equal(found.html, '<button id=":r3:">Save</button>');
});

test('a button whose text follows the data is found where it was, and that is noted', async () => {
  const found = await refind('<div><button>3 items</button></div>', 'button', '<div><button>4 items</button></div>');
  equal(found.html, '<button>4 items</button>');
  check(/although name, text differs/.test(found.notes[0]), found.notes[0]);
});

test('what stands in the place of a missing element is not taken for it', async () => {
  const found = await refind('<div><button id=pay>Pay</button><button id=cancel>Cancel</button></div>', '#pay', '<div><button id=cancel>Cancel</button></div>');
  equal(found.element, null);
  const nothing = await refind('<div><button>Pay</button></div>', 'button', '<div><a>Pay</a></div>');
  equal(nothing.element, null);
});

test('an element inserted before it does not shift a target that has a name', async () => {
  const found = await refind('<ul><li><a href=1>One</a></li><li><a href=2>Two</a></li></ul>', 'li:nth-child(2) a', '<ul><li><a href=0>Zero</a></li><li><a href=1>One</a></li><li><a href=2>Two</a></li></ul>');
  equal(found.html, '<a href="2">Two</a>');
});

test('of several alike the one in the same place is taken', async () => {
  const html = '<ul><li><button>Edit</button></li><li><button>Edit</button></li><li><button>Edit</button></li></ul>';
  const target = await describe(html, 'li:nth-child(2) button');
  const page = await open('<!doctype html><body>' + html);
  const found = findTarget(target, page.document, captureMoreNodes(page));
  check(found.element === page.document.querySelectorAll('button')[1], 'the second is taken');
  equal(found.notes, []);
});

test('generated ids are told from chosen ones', async () => {
  const page = await open('');
  const nodes = captureMoreNodes(page);
  const generated = ['ember123', ':r1:', 'radix-:r2:', '3f2504e0-4f89-11d3-9a0c-0305e82c3301', 'ext-gen1042', 'a8f3k2j9x0q', 'react-select-2'].filter(id => !looksGenerated(id, nodes));
  equal(generated, [], 'taken for chosen');
  const chosen = ['login', 'main-menu', 'step2', 'h1', 'user_name', 'btn-save', 'item-3'].filter(id => looksGenerated(id, nodes));
  equal(chosen, [], 'taken for generated');
});

test('form fields tell their name and type, for redaction', async () => {
  const field = await describe('<input data-testid=pin name=card_pin type=PASSWORD>', 'input');
  equal([field.test_id, field.field_name, field.field_type], ['[data-testid="pin"]', 'card_pin', 'password']);
  const plain = await describe('<textarea name=note></textarea>', 'textarea');
  equal([plain.field_name, plain.field_type], ['note', undefined]);
  const button = await describe('<button name=b type=submit>Go</button>', 'button');
  equal([button.field_name, button.field_type], [undefined, undefined]);
});

test('words that one element alone has find it where the rows around it are others', async () => {
  const row = (cells) => `<table><tbody>${cells}</table>`;
  const cells = '<tr><td><div>Head</div><tr><td><div>Team meets</div><div>Trip</div>';
  const found = await refind(row(cells), 'tr:nth-child(2) div', row('<tr><td><div>Also</div>' + cells));
  equal(found.html, '<div>Team meets</div>');
  equal(found.notes, ['found by text, although path differs']);
  const twice = await refind(row(cells), 'tr:nth-child(2) div', '<p><div>Team meets</div><div>Team meets</div>');
  equal(twice.html, null);
  const short = await refind('<p><i>×</i>', 'i', '<div><i>×</i></div>');
  equal(short.html, null);
});

test('of two of the same words, the one that ends its path as it did is found where more boxes stand around', async () => {
  const list = (word) => `<ul><li><div><div><i><b>${word}</b></i></div></div></ul>`;
  const first = '<p><b>Budget</b></p>';
  const found = await refind(first + list('Budget'), 'li b', `${first}<section>${list('Budget')}</section>`);
  equal(found.notes, ['found by the end of its path: the boxes around it are others']);
  equal(found.element.closest('ul') !== null, true);
  const both = await refind(first + list('Budget'), 'li b', `<nav>${list('Budget')}</nav><section>${list('Budget')}</section>`);
  equal(both.html, null);
});
