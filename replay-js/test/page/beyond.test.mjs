// What runs that the log does not know, when, and what waits for the log instead; without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBeyond } from '../../page/replay/beyond.js';
import { readLog } from '../../page/replay/log.js';

const START = 1_000;

/** A page that has registered these beyond the log's, and what came of it, by the clock. */
function page(logged, strays, { leftAt = START, partner = () => undefined, scrolled = [] } = {}) {
  let now = START;
  const came = [];
  const say = (what) => () => came.push(`${what} at ${now - START}`);
  const entries = strays.map((entry) => ({ at: START, live: true, taken: false, settled: null, arrivals: [], run: say(entry.identity.callback ?? entry.identity), ...entry }));
  const log = readLog(logged);
  const engine = {
    virtualTime: { now: () => now, origin: 0, reach: (at) => (now = Math.max(now, at)) },
    strays: { unclaimed: () => entries.filter(({ live, taken }) => live && !taken) },
    partner,
    begin() {},
    close() {},
    inside: (run) => run(),
  };
  const waiting = { turn: async (run) => run(), until: async (ready) => ready(), nextFrames: async () => {} };
  const scrolls = { has: () => scrolled.length > 0, take: () => scrolled.shift(), haveCome: async () => {} };
  const realm = { eventTarget: ({ target }) => target, dispatchEvent: (target) => say(`scroll of ${target}`)(), interfaces: { Event } };
  return { beyond: createBeyond(realm, log, engine, waiting, scrolls, leftAt), came, entries, log, say };
}

const click = (id, at) => ({ id, at: START + at, what: { kind: 'dom', type: 'pointerdown', gesture: true, target: {} }, local: {} });
const key = (id, at) => ({ id, at: START + at, what: { kind: 'dom', type: 'keydown', gesture: true, target: {} }, local: {} });
const timer = (callback, delay, more = {}) => ({ list: 'timer', identity: { callback, delay, ...more } });

test('timers run in the order of their time, as far as the clock has come', async () => {
  const { beyond, came } = page([key(1, 100)], [timer('late', 200), timer('second', 80), timer('first', 20)]);
  await beyond.before({ at: START + 100 });
  assert.deepEqual(came, ['first at 20', 'second at 80']);
  await beyond.before({ at: START + 300 });
  assert.deepEqual(came.slice(2), ['late at 200']);
});

test('an interval comes again until it is taken back', async () => {
  const { beyond, came, entries } = page([key(1, 100)], [timer('tick', 30, { repeat: true })]);
  await beyond.before({ at: START + 100 });
  assert.deepEqual(came, ['tick at 30', 'tick at 60', 'tick at 90']);
  entries[0].live = false;
  await beyond.before({ at: START + 500 });
  assert.equal(came.length, 3);
});

test('one without an end does not keep the page for ever', async () => {
  const { beyond, came } = page([key(1, 1e9)], [timer('tick', 0, { repeat: true })]);
  await beyond.before({ at: START + 1e9 });
  assert.ok(came.length > 10 && came.length < 1_000, `${came.length}`);
});

test('before a look a page comes to rest, unless something is typed before', async () => {
  const debounce = () => [timer('show', 150)];
  const typed = page([key(1, 40)], debounce());
  await typed.beyond.rest();
  assert.deepEqual(typed.came, []);
  const later = page([key(1, 4_000)], debounce());
  await later.beyond.rest();
  assert.deepEqual(later.came, ['show at 150']);
  // Who points at something sees what it is; the clock of the page goes on no further than the log's.
  const pointed = page([click(1, 40)], debounce());
  await pointed.beyond.rest();
  assert.deepEqual(pointed.came, ['show at 40']);
});

test('at the end of the log what is due runs until the page was left', async () => {
  const { beyond, came } = page([], [timer('soon', 900), timer('too late', 3_000)], { leftAt: START + 2_000 });
  await beyond.rest();
  assert.deepEqual(came, ['soon at 900']);
});

test('promises go on when they are settled, and requests do not', async () => {
  const settled = { outcome: 'fulfilled', settle() {} };
  const { beyond, came, entries, say } = page([key(1, 50)], [
    { list: 'promise', identity: 'SubtleCrypto.digest', settled },
    { list: 'promise', identity: 'FontFace.load' },
    { list: 'fetch', identity: { method: 'GET', url: '/' }, settled },
    { list: 'xhr', identity: { method: 'GET', url: '/' } },
  ]);
  settled.settle = say('settled');
  await beyond.rest();
  assert.deepEqual(came, ['settled at 0']);
  assert.deepEqual(entries.map(({ taken }) => taken), [true, false, false, false]);
});

test('what is scrolled is told before anything else', async () => {
  const event = new Event('scroll');
  const { beyond, came } = page([key(1, 50)], [timer('later', 10)], { scrolled: [{ event, target: 'pane' }] });
  await beyond.before({ at: START + 20 });
  assert.deepEqual(came, ['scroll of pane at 0', 'later at 10']);
});

test('what the log has for another event waits for it', async () => {
  const used = (of) => ({ id: 3, at: START + 300, what: { kind: 'timer', of }, local: {} });
  const missed = { id: 1, at: START, what: { kind: 'dom', type: 'mousedown', target: {} }, local: { timer: [{ callback: 'same', delay: 10 }] } };
  const check = async (logged, expected, partner) => {
    const { beyond, came, log } = page(logged, [timer('same', 10)], { partner });
    log.byId(1).done = true;
    await beyond.before({ at: START + 100 });
    assert.deepEqual(came, expected);
  };
  // The event has none of its own, or has one.
  await check([missed, used([1, 0])], []);
  await check([missed, used([1, 0])], ['same at 10'], () => ({}));
  // What a person does later asks for its own.
  const coming = { ...click(2, 200), local: missed.local };
  await check([{ ...missed, local: {} }, coming, used([2, 0])], ['same at 10']);
  await check([{ ...missed, local: {} }, { ...coming, what: { kind: 'dom', type: 'mouseup', target: {} } }, used([2, 0])], []);
});
