// Who loads what: elements in the document and those at which somebody listens.
import assert from 'node:assert/strict';
import test from 'node:test';
import { createLoading } from '../../page/replay/loading.js';

/** @param {{src?: string, href?: string}[]} standing */
function pageOf(standing) {
  const shadowRoots = [];
  const told = [];
  const realm = { global: { WeakRef }, queryLoading: () => standing };
  const loading = createLoading(realm, shadowRoots);
  const added = { addEventListener: (...given) => told.push(given) };
  loading.watch(added);
  return { loading, added, told, shadowRoots };
}

test('what stands in the document or is listened at may load', () => {
  const { loading, added, told } = pageOf([{ href: 'http://site.test/a.css' }, { src: 'http://site.test/b.png' }]);
  assert.equal(loading.isNobodys('http://site.test/a.css'), false);
  assert.equal(loading.isNobodys('http://site.test/b.png'), false);
  assert.equal(loading.isNobodys('http://site.test/c.png'), true);

  const image = { nodeType: 1, src: 'http://site.test/c.png' };
  const listener = () => {};
  added.addEventListener(image, 'error', listener, true);
  assert.deepEqual(told, [[image, 'error', listener, true]]);
  assert.equal(loading.isNobodys('http://site.test/c.png'), false);
  image.src = 'http://site.test/d.png';
  assert.equal(loading.isNobodys('http://site.test/c.png'), true);
});

test('who listens for something else does not say what it loads', () => {
  const { loading, added } = pageOf([]);
  const image = { nodeType: 1, src: 'http://site.test/c.png' };
  added.addEventListener(image, 'click', () => {}, true);
  added.addEventListener({ nodeType: 9, src: 'http://site.test/c.png' }, 'load', () => {}, true);
  assert.equal(loading.isNobodys('http://site.test/c.png'), true);
});

test('where it may stand in a frame or a shadow tree nothing is said', () => {
  const inShadow = pageOf([]);
  inShadow.shadowRoots.push({});
  assert.equal(inShadow.loading.isNobodys('http://site.test/a.png'), false);
  const inFrame = pageOf([]);
  inFrame.loading.watch({ addEventListener() {} });
  assert.equal(inFrame.loading.isNobodys('http://site.test/a.png'), false);
});

test('as many as are listened at are known, while they are there', () => {
  const { loading, added } = pageOf([]);
  const images = Array.from({ length: 900 }, (_, i) => ({ nodeType: 1, src: `http://site.test/${i}.png` }));
  images.forEach((image) => added.addEventListener(image, 'load', () => {}, true));
  assert.equal(loading.isNobodys('http://site.test/0.png'), false);
  assert.equal(loading.isNobodys('http://site.test/899.png'), false);
});
