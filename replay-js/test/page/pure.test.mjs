// The parts that need no document, under `node --test`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCallbackHasher, hashText } from '../../page/hash.js';
import { encode } from '../../page/json.js';
import { defineProperty, getOwnPropertyDescriptor, newMap } from '../../page/natives.js';
import { createPlace } from '../../page/place.js';
import { messageHash } from '../../page/sources/identity.js';
import { createAnswers } from '../../page/replay/answers.js';
import { continueSequence } from '../../page/sequence.js';
import { writeAsRecorded } from '../../page/replay/fractions.js';
import { readLog } from '../../page/replay/log.js';
import { createParsing } from '../../page/replay/parsing.js';
import { createFindings } from '../../page/replay/findings.js';
import { createRethrown, onlyThrows } from '../../page/replay/rethrown.js';
import { lackedFor } from '../../page/replay/lacked.js';
import { compareRegistrations } from '../../page/replay/registrations.js';
import { installScreen } from '../../page/replay/screen.js';
import { sortAsRecorded } from '../../page/replay/shuffles.js';
import { createVirtualTime } from '../../page/replay/time.js';

test('json is what JSON.stringify says, in ASCII', () => {
  for (const value of [null, true, 1.5, -0, NaN, 'a"b\n\u2028é😀', [1, [2], {}], { a: 1, b: [null], 'c d': 'x' }]) {
    const text = encode(value);
    assert.match(text, /^[\x20-\x7e]*$/);
    assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
  }
});

test('json does not ask the page how to write an array', () => {
  // @ts-ignore
  Array.prototype.toJSON = () => 'mine';
  try {
    assert.equal(encode({ list: [1], gone: undefined }), '{"list":[1]}');
  } finally {
    // @ts-ignore
    delete Array.prototype.toJSON;
  }
});

test('what all objects have makes no descriptor another one', () => {
  const prototype = /** @type {any} */ (Object.prototype);
  prototype.get = undefined;
  try {
    defineProperty(globalThis, 'defined', { value: 1, configurable: true });
    prototype.get = () => 2;
    assert.equal(/** @type {any} */ (globalThis).defined, 1);
    assert.equal(getOwnPropertyDescriptor(globalThis, 'defined')?.get, undefined);
    const map = newMap();
    map.set('a', 1);
    assert.equal(map.get('a'), 1);
  } finally {
    delete prototype.get;
    delete (/** @type {any} */ (globalThis).defined);
  }
});

test('a callback keeps its hash and tells its source once', () => {
  /** @type {string[]} */
  const told = [];
  const hash = createCallbackHasher((_hash, source) => told.push(source));
  const make = () => () => 1;
  assert.equal(hash(make()), hash(make()));
  assert.notEqual(hash(make()), hash(() => 2));
  assert.equal(told.length, 2);
});

test('native functions go by their name, however the engine prints them', () => {
  const hash = createCallbackHasher(() => {});
  assert.equal(hash(Math.max), hashText('native max'));
  // One engine names those that settle a promise, the others do not.
  assert.equal(hash(Promise.reject), hashText('native '));
});

test('long texts differ by their length, beginning and end', () => {
  const long = 'x'.repeat(100_000);
  assert.notEqual(hashText(long), hashText(long + 'x'));
  assert.notEqual(hashText(long), hashText('y' + long.slice(1)));
});

test('invented numbers depend on event and call, and lie in [0, 1)', () => {
  const numbers = new Set();
  for (let event = 0; event < 50; event += 1) {
    for (let call = 0; call < 50; call += 1) {
      const number = continueSequence(event, call);
      assert.ok(number >= 0 && number < 1);
      assert.equal(number, continueSequence(event, call));
      numbers.add(number);
    }
  }
  assert.equal(numbers.size, 2500);
});

test('times in the log are differences but for the first', () => {
  const log = readLog([{ id: 0, at: 1000, what: { kind: 'timer', of: [0, 0] }, local: { date: [1000, 0, 5], now: [20, 30] } }]);
  assert.deepEqual(log.byId(0).local.date, [1000, 1000, 1005]);
  assert.deepEqual(log.byId(0).local.now, [20, 50]);
});

test('a script of a frame is known by where the frame stands, or else by what is in it', () => {
  const keys = ['#0', 'frame html>body>iframe:1 #0', 'frame html>body>iframe:2 #0', 'frame html>body>iframe:2 http://a.test/b.js'];
  const scripts = (/** @type {string[]} */ of) => readLog(of.map((key, id) => ({ id, at: 1000, what: { kind: 'script', key } })));
  const log = scripts(keys);
  const idOf = (/** @type {string} */ key) => log.nextScript(key)?.id;
  assert.deepEqual(keys.map(idOf), [0, 1, 2, 3]);
  assert.equal(idOf('frame html>body>div:1>iframe:1 #0'), 1);
  assert.equal(idOf('frame html>body>div:1>iframe:1 http://a.test/b.js'), 3);
  assert.equal(idOf('#1'), undefined);
  assert.equal(idOf('frame html>body>iframe:1 #1'), undefined);
  const older = scripts(['#0', 'frame #0']);
  assert.equal(older.nextScript(keys[2])?.id, 1);
});

test('time goes on where the log ends, and never back', () => {
  const time = createVirtualTime(readLog([{ id: 0, at: 5000, what: null, local: { now: [1_000_000] } }]));
  assert.equal(time.value('now', 1_000_000, 1), 1000);
  let last = 1000;
  for (let i = 0; i < 100; i += 1) {
    const now = time.value('now', undefined, i + 2);
    assert.ok(now >= last);
    last = now;
  }
  assert.ok(last > 1000);
});

/** @param {any} expected @param {any} actual @param {string[]} kinds */
function checkRegistrations(expected, actual, kinds) {
  const findings = createFindings(() => {});
  const registered = Object.fromEntries(Object.entries(actual).map(([list, items]) => [list, items.map((/** @type {any} */ identity) => ({ identity }))]));
  compareRegistrations({ id: 3, at: 0, what: null, local: expected, done: true, deferred: false }, registered, findings, globalThis);
  assert.deepEqual(findings.take(3).divergences.map(({ kind }) => kind), kinds);
}

test('the same registrations in any order are no divergence', () => {
  checkRegistrations({ frame: ['a', 'b', 'b'] }, { frame: ['b', 'a', 'b'] }, []);
});

test('a callback that is missing, one too many, and another one are told apart', () => {
  checkRegistrations({ timer: [{ callback: 'a' }] }, {}, ['callback-missing']);
  checkRegistrations({}, { timer: [{ callback: 'a' }] }, ['callback-extra']);
  checkRegistrations({ timer: [{ callback: 'a' }] }, { timer: [{ callback: 'b' }] }, ['wrong-callback']);
});

test('what a browser does not have is told of what does not come', () => {
  class Document {}
  const global = { Document, Promise };
  const is = (/** @type {string} */ list, /** @type {string} */ name, /** @type {string | undefined} */ expected) => assert.equal(lackedFor(global, list, name), expected);
  is('idle', '1713cadf', 'requestIdleCallback');
  is('host', 'ResizeObserver', 'ResizeObserver');
  is('host', 'Document.startViewTransition', 'Document.startViewTransition');
  is('promise', 'Promise.then', undefined);
  is('promise', 'import', undefined);
  is('timer', 'Late', undefined);
});

test('what only throws what was caught before is known by its text', () => {
  const is = (/** @type {string[]} */ sources, /** @type {boolean} */ expected) => sources.forEach((source) => assert.equal(onlyThrows(source), expected, source));
  is(['function () {\n\tthrow error;\n}', '()=>{throw e}', 'function(){throw e.reason}'], true);
  is(['() => e', 'function () { throwing(e); }', '() => { throw make(e); }', '() => { throw e; }; more', '() => { if (e) throw e; }', '() => { throw e; tell() }'], false);
});

test('an error that is thrown again in a timer is told where the recording has no such timer', () => {
  const told = (/** @type {any[]} */ logged) => {
    const findings = createFindings(() => {});
    const rethrown = createRethrown(findings);
    rethrown.learn('a', 'function () { throw error; }');
    const run = () => {
      throw new TypeError('none');
    };
    rethrown.tell(3, logged, [/** @type {any} */ ({ identity: { callback: 'a' }, live: true, run })]);
    return findings.take(3).divergences;
  };
  assert.deepEqual(told([]).map(({ kind, actual }) => [kind, actual]), [['exception-only-here', 'TypeError: none']]);
  assert.deepEqual(told([{ callback: 'a' }]), []);
});

test('requests are known by method, address and body', () => {
  const request = (/** @type {string | undefined} */ body) => ({ method: 'POST', url: 'http://a/', body });
  checkRegistrations({ fetch: [request('1')] }, { fetch: [request('1')] }, []);
  checkRegistrations({ fetch: [request('1')] }, { fetch: [request('2')] }, ['request-differs']);
});

test('messages are known by what they say, to some depth', () => {
  const loop = { a: [1, { b: 'x' }] };
  // @ts-ignore
  loop.self = loop;
  assert.equal(messageHash(loop), messageHash(structuredClone(loop)));
  assert.notEqual(messageHash({ a: 1 }), messageHash({ a: 2 }));
  assert.notEqual(messageHash('1'), messageHash(['1']));
  assert.notEqual(messageHash(new Error('one')), messageHash(new Error('other')));
  assert.notEqual(messageHash(new Uint8Array(3)), messageHash(new Uint8Array(4)));
  // What `Math.cos` comes to has another last digit in each engine.
  assert.equal(messageHash({ now: 2.3420000000000001 }), messageHash({ now: 2.3420000000000005 }));
  assert.notEqual(messageHash({ now: 2.342 }), messageHash({ now: 2.3421 }));
  assert.notEqual(messageHash({ at: 1732590000001 }), messageHash({ at: 1732590000002 }));
});

test('answers are found by what was asked, and only dialogs are compared', () => {
  const findings = createFindings(() => {});
  const answers = createAnswers(findings);
  const local = { answer: [['Navigator.onLine', true], ['confirm: sure?', false], ['prompt: name?', 'me']] };
  const event = /** @type {any} */ ({ id: 4, logged: { local } });
  assert.deepEqual(answers.next(event, 'confirm: sure?', true), ['confirm: sure?', false]);
  assert.equal(answers.next(event, 'Document.hidden', false), undefined);
  assert.deepEqual(answers.next(event, 'Navigator.onLine', false), ['Navigator.onLine', true]);
  assert.equal(answers.next(event, 'Navigator.onLine', false), undefined);
  assert.deepEqual(findings.take(4).divergences, []);
  assert.deepEqual(answers.next(event, 'prompt: age?', true), ['prompt: name?', 'me']);
  const { kind, expected, actual } = findings.take(4).divergences[0];
  assert.deepEqual([kind, expected, actual], ['dialog-differs', 'prompt: name?', 'prompt: age?']);
  answers.unused(4, { answer: [['Navigator.onLine', true], ['alert: hello', null]] });
  assert.deepEqual(findings.take(4).divergences.map(({ actual }) => actual), ['no dialog']);
});

test('what comes behind the parser waits for no module', async () => {
  class MutationObserver {
    observe() {}
    disconnect() {}
  }
  const realm = /** @type {any} */ ({ global: { MutationObserver }, document: {}, byTagName: () => [] });
  const log = readLog([{ id: 0, at: 1, what: { kind: 'dom', type: 'readystatechange' } }]);
  let changed = () => {};
  const waiting = /** @type {any} */ ({
    changed: () => changed(),
    until: (/** @type {() => boolean} */ ready) => new Promise((resolve) => { changed = () => ready() && resolve(true); changed(); }),
  });
  const parsing = createParsing(realm, log, waiting);
  let due = false;
  const waited = parsing.beforeOther(log.ordered[0]).then(() => { due = true; });
  await Promise.resolve();
  assert.equal(due, false);
  parsing.interactive();
  await waited;
  assert.equal(due, true);
});

test('a driver that waited for a page to load is not taken for it before the end of the dispatch is known', () => {
  let driverCalls = false;
  const realm = /** @type {any} */ ({
    document: {},
    byTagName: () => [],
    currentScript: () => null,
    currentTarget: () => ({ window: {} }),
    // Chromium never resets it.
    eventPhase: () => 2,
    eventType: () => 'load',
    nextTurn: () => {},
  });
  const place = createPlace(() => 'script', () => 'unknown', () => (driverCalls ? 'driver' : undefined));
  place.addRealm(realm);
  place.begin('load', {});
  assert.equal(place.current(), 'load');
  assert.equal(place.isVisited(), false);
  driverCalls = true;
  assert.equal(place.current(), 'driver');
  assert.equal(place.isVisited(), true);
  driverCalls = false;
  assert.equal(place.current(), 'load');
});

test('what is sorted by chance is sorted as Chromium does it', () => {
  let seed = 1;
  const chance = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647 - 0.5;
  };
  // Long lists as V8 has long sorted them, which runs this.
  for (let length = 16; length < 64; length += 1) {
    for (let round = 0; round < 20; round += 1) {
      const list = Array.from({ length }, (_, i) => i);
      const begun = seed;
      const native = [...list].sort(chance);
      const after = seed;
      seed = begun;
      sortAsRecorded(list, chance);
      assert.deepEqual(list, native);
      assert.equal(seed, after);
    }
  }
  // Short ones as Chromium 156 does.
  /** @type {string[]} */
  const asked = [];
  const short = [0, 1, 2, 3, 4];
  sortAsRecorded(short, (a, b) => {
    asked.push(`${a}${b}`);
    return -1;
  });
  assert.deepEqual(short, [4, 3, 2, 1, 0]);
  assert.equal(asked.join(' '), '10 20 21 31 32 41 42 43');
});

test('fractions are written in any radix as V8 writes them, which this is', () => {
  let seed = 1;
  const next = () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
  const edges = [0.1, 0.5, 1 / 3, 1 - 2 ** -53, 2 - 2 ** -52, 35.999999999999, 1e-7, 5e-324, 2 ** -1022, 123456789.123, 4503599627370495.5, -0.7, -36.02777];
  for (let radix = 2; radix <= 36; radix += 1) {
    if (radix === 10) {
      continue;
    }
    for (const edge of edges) {
      assert.equal(writeAsRecorded(edge, radix), edge.toString(radix));
    }
    for (let i = 0; i < 2000; i += 1) {
      const number = (next() + next() * 2 ** -31) * 10 ** (i % 12) + (i % 3);
      assert.equal(writeAsRecorded(number, radix), number.toString(radix));
    }
  }
});

test('a page is told of the screen that it was recorded on', () => {
  class Screen {
    get width() {
      return 800;
    }
    get height() {
      return 600;
    }
    get availHeight() {
      return 560;
    }
  }
  const patch = {
    /** @param {any} object @param {string} name @param {(get: any) => any} make */
    accessor(object, name, make) {
      const before = getOwnPropertyDescriptor(object, name);
      const made = getOwnPropertyDescriptor(make(before?.get), name);
      if (before) {
        defineProperty(object, name, /** @type {any} */ (made));
      }
    },
  };
  const screen = /** @type {any} */ (new Screen());
  installScreen(/** @type {any} */ ({ global: { Screen } }), /** @type {any} */ (patch), null);
  assert.equal(screen.width, 800);
  installScreen(/** @type {any} */ ({ global: { Screen } }), /** @type {any} */ (patch), [1920, 1080]);
  assert.deepEqual([screen.width, screen.height, screen.availHeight, screen.availWidth], [1920, 1080, 1080, undefined]);
});
