// A page that replaces what we read through must not change what we read. The collector lives in that page's own realm here.
import { check, equal, open, test } from './harness.js';

const BODY = `<style>.a{color:red}.b::after{content:"x"}</style><div class=a id=x>text <b class=b>bold</b><input value=v><select><option>1</select></div><p>two</p>`;

async function openWithCollector() {
  const page = await open(`<!doctype html><body>${BODY}<script type="module">
    import { captureDom } from '${location.origin}/page/collect/dom.js';
    import { createCollector } from '${location.origin}/page/collect/collector.js';
    import { describeTarget } from '${location.origin}/page/target/describe.js';
    import { findTarget } from '${location.origin}/page/target/find.js';
    const dom = captureDom(window);
    window.tools = { dom, collector: createCollector(dom, { load: 1, path: [] }), createCollector, describeTarget, findTarget };
    window.dispatchEvent(new Event('tools'));
  </scr` + `ipt>`);
  // A module runs before its frame's load event.
  check(page.tools, 'the tools are there');
  return page;
}

const PATCHES = {
  'Array.prototype': page => {
    for (const name of ['push', 'map', 'forEach', 'sort', 'join', 'slice', 'filter', 'indexOf', 'concat', Symbol.iterator]) page.Array.prototype[name] = () => { throw new page.Error('patched ' + String(name)); };
    page.Array.prototype.toJSON = () => 'broken';
    page.Array.from = page.Array.isArray = () => { throw new page.Error('patched'); };
  },
  'Map and WeakMap': page => {
    for (const name of ['get', 'set', 'has', 'delete', 'forEach']) {
      page.Map.prototype[name] = () => { throw new page.Error('patched ' + name); };
      if (name !== 'forEach') page.WeakMap.prototype[name] = page.Map.prototype[name];
    }
    page.Map = page.WeakMap = page.Set = class {};
  },
  'JSON, Object and Math': page => {
    page.JSON.stringify = page.JSON.parse = () => 'broken';
    page.Object.prototype.toString = () => '[object Broken]';
    page.Math.round = () => 42;
    page.Object.keys = page.Object.getOwnPropertyDescriptor = () => { throw new page.Error('patched'); };
  },
  'String and RegExp': page => {
    for (const name of ['slice', 'indexOf', 'toLowerCase', 'charCodeAt', 'replace', 'split', 'trim', 'startsWith', 'match']) page.String.prototype[name] = () => { throw new page.Error('patched ' + name); };
    for (const name of ['exec', 'test']) page.RegExp.prototype[name] = () => { throw new page.Error('patched ' + name); };
  },
  'Function.prototype': page => {
    for (const name of ['call', 'apply', 'bind']) page.Function.prototype[name] = () => { throw new page.Error('patched ' + name); };
    page.Reflect.apply = () => { throw new page.Error('patched'); };
  },
  'the DOM': page => {
    const broken = { get: () => { throw new page.Error('patched'); }, configurable: true };
    const define = page.Object.defineProperty;
    for (const [owner, names] of Object.entries({
      Node: ['childNodes', 'firstChild', 'nextSibling', 'parentNode', 'nodeType', 'textContent'], Element: ['attributes', 'localName', 'shadowRoot', 'clientLeft', 'scrollTop', 'children', 'id'],
      CharacterData: ['data'], HTMLInputElement: ['value', 'labels'], DOMRectReadOnly: ['x', 'y', 'width', 'height'], Document: ['documentElement', 'styleSheets'], CSSStyleRule: ['selectorText', 'style'],
    })) for (const name of names) define(page[owner].prototype, name, broken);
    for (const name of ['getBoundingClientRect', 'getClientRects', 'getAttribute', 'getAttributeNames', 'matches', 'querySelectorAll']) page.Element.prototype[name] = () => { throw new page.Error('patched'); };
    page.Document.prototype.querySelectorAll = page.Document.prototype.createRange = () => { throw new page.Error('patched'); };
    page.getComputedStyle = page.matchMedia = () => { throw new page.Error('patched'); };
    page.CSSStyleDeclaration.prototype.getPropertyValue = () => 'broken';
  },
  'clobbering names': page => {
    page.document.body.insertAdjacentHTML('beforeend', '<form id=f><input name=attributes><input name=firstChild><input name=nodeType><input name=localName><input name=getAttribute></form><img name=documentElement><img name=querySelectorAll><img name=styleSheets>');
  },
  'frozen globals': page => {
    for (const name of ['Array', 'Map', 'Object', 'Element', 'Node', 'JSON']) {
      page.Object.freeze(page[name]);
      if (page[name].prototype) page.Object.freeze(page[name].prototype);
    }
  },
};

for (const [name, patch] of Object.entries(PATCHES)) {
  test(`collecting and finding are not disturbed by a page that patches ${name}`, async () => {
    const page = await openWithCollector();
    const { stringify } = JSON;
    const target = page.document.querySelector('b');
    const before = page.tools.collector.collect();
    const described = stringify(page.tools.describeTarget(target, page.tools.dom));
    patch(page);
    const clobbers = name === 'clobbering names';
    const after = page.tools.collector.collect(true);
    const wanted = spelled(clobbers ? { ...before, nodes: after.nodes, styles: after.styles } : before);
    equal(spelled(after), wanted);
    if (clobbers) check(after.nodes.length > before.nodes.length + 8, 'the clobbering form is collected');
    equal(stringify(page.tools.describeTarget(target, page.tools.dom)), described);
    const found = page.tools.findTarget(page.tools.describeTarget(target, page.tools.dom), page.document, page.tools.dom);
    check(found.element === target, 'the target is found');
  });
}

/** By hand: this realm's `JSON.stringify` would call the page's `toJSON`. */
function spelled(value) {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const parts = [];
  for (const key of Object.keys(value)) parts.push(`${key}:${spelled(value[key])}`);
  return parts.join(' ');
}
