// What a browser had stored, written down and made again, under `node --test`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeText, decodeValue } from '../../page/kept/decode.js';
import { encodeText, encodeValue, Unkeepable } from '../../page/kept/encode.js';
import { encode } from '../../page/json.js';

/** @param {any} value as a database would give it */
async function written(value) {
  return encode(await encodeValue(globalThis, structuredClone(value), () => {}));
}

/** @param {any} value */
async function again(value) {
  return decodeValue(globalThis, JSON.parse(await written(value)));
}

test('values come back as they were', async () => {
  const sparse = [1, , 3];
  sparse.length = 5;
  const withMore = Object.assign([1, 2], { more: 3 });
  const bytes = new Uint8Array([0, 1, 250, 255]);
  for (const value of [
    undefined,
    null,
    true,
    0,
    -0,
    1.5,
    NaN,
    Infinity,
    -Infinity,
    2n ** 70n,
    'text',
    'é😀\u2028',
    '\ud800 alone',
    'at the end \udbff',
    '\udc00\ud800',
    new Date(12),
    /a\/b/giu,
    Object(true),
    Object(-0),
    Object('x'),
    Object(5n),
    bytes.buffer,
    bytes,
    bytes.subarray(1, 3),
    new Float64Array([NaN, -0]),
    new BigUint64Array([5n]),
    new DataView(bytes.buffer, 1, 2),
    new Map([[{ a: 1 }, new Set([1, 'x'])]]),
    new Set([[1], undefined]),
    {},
    [],
    [undefined, null],
    sparse,
    withMore,
    { b: 1, a: { 2: 'x', 1: 'y' } },
    { $: 'undefined' },
    { '\ud800': 1 },
    JSON.parse('{"__proto__": {"a": 1}}'),
    new TypeError('no', { cause: [1] }),
    new Error(),
  ]) {
    const found = await again(value);
    assert.deepStrictEqual(found, value);
    assert.equal(Object.getPrototypeOf(Object(found)), Object.getPrototypeOf(Object(value)));
  }
});

test('a date that is none stays none', async () => {
  assert.ok(Number.isNaN((await again(new Date(NaN))).getTime()));
});

test('plain values are plain JSON', async () => {
  const value = { b: [1, 'x', null], a: { c: true } };
  assert.equal(await written(value), '{"b":[1,"x",null],"a":{"c":true}}');
});

test('what is met again is the same object, also within itself', async () => {
  const shared = new Date(1);
  const buffer = new ArrayBuffer(4);
  /** @type {any} */
  const value = { list: [shared, shared], views: [new Uint8Array(buffer), new DataView(buffer, 1), buffer], map: new Map() };
  value.self = value;
  value.map.set('up', value);
  const found = await again(value);
  assert.equal(found.self, found);
  assert.equal(found.map.get('up'), found);
  assert.equal(found.list[0], found.list[1]);
  assert.equal(found.views[0].buffer, found.views[2]);
  assert.equal(found.views[1].buffer, found.views[2]);
});

test('an error keeps its stack, and what is not its own it does not get', async () => {
  const error = new RangeError('far');
  const found = await again(error);
  assert.equal(found.stack, error.stack);
  assert.ok(found instanceof RangeError);
  assert.ok(!Object.hasOwn(await again(new Error()), 'cause'));
});

test('blobs and files keep bytes, type and name', async () => {
  const blob = new Blob(['a', new Uint8Array([0, 255])], { type: 'text/x' });
  const found = decodeValue(globalThis, JSON.parse(encode(await encodeValue(globalThis, { blob, again: [blob] }, () => {}))));
  assert.equal(found.blob.type, 'text/x');
  assert.deepEqual(new Uint8Array(await found.blob.arrayBuffer()), new Uint8Array([97, 0, 255]));
  assert.equal(found.again[0], found.blob);
});

test('bytes of any length come back', async () => {
  for (const length of [0, 1, 2, 3, 24_575, 24_576, 24_577, 100_000]) {
    const bytes = Uint8Array.from({ length }, (_, i) => i % 251);
    assert.deepEqual(await again(bytes), bytes);
  }
});

test('names may be no whole Unicode', () => {
  for (const name of ['', 'é', '\ud83d', 'a\udc00b']) {
    assert.equal(decodeText(globalThis, JSON.parse(encode(encodeText(globalThis, name)))), name);
  }
});

test('what no text can stand for is named', async () => {
  const key = await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  await assert.rejects(encodeValue(globalThis, { key }, () => {}), (error) => error instanceof Unkeepable && error.what === 'CryptoKey');
});

test('room is asked for before bytes are read', async () => {
  const full = () => {
    throw new Error('full');
  };
  await assert.rejects(encodeValue(globalThis, new ArrayBuffer(1), full), /full/);
  await assert.rejects(encodeValue(globalThis, new Blob(['x']), full), /full/);
});

test('a trace cannot name what is no kind of value', () => {
  for (const encoded of [{ $: 'view', of: 'Function', buffer: [], at: 0, length: 0 }, { $: 'error', name: 'eval' }, { $: 'geometry', of: 'Worker', is: {} }, { $: 'other' }]) {
    assert.throws(() => decodeValue(globalThis, encoded), /no kind of value/);
  }
});
