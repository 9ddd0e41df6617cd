import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServiceWorker } from '../../page/service-worker.js';

/**
 * A worker's global with the parts that are wrapped, and what it tells the proxy.
 * @param {boolean} records
 */
async function worker(records) {
  /** @type {any[]} */
  const told = [];
  /** @type {any} */
  const heard = {};
  class ExtendableEvent {
    waitUntil() {}
  }
  class FetchEvent extends ExtendableEvent {
    /** @param {any} request */
    constructor(request) {
      super();
      this.request = request;
    }
    /** @param {any} answer */
    respondWith(answer) {
      this.given = answer;
    }
    get preloadResponse() {
      return Promise.resolve(undefined);
    }
  }
  class Scope {
    get onfetch() {
      return null;
    }
    set onfetch(handler) {
      heard.fetch = handler;
    }
    /** @param {string} type @param {any} listener */
    addEventListener(type, listener) {
      (heard[type] ??= []).push(listener);
    }
  }
  /** @type {any} */
  const global = Object.assign(new Scope(), {
    Blob, Request, Response, Promise, ExtendableEvent, FetchEvent, performance, Function, setTimeout,
    location: { origin: 'http://a.test' },
    /** @param {any} input @param {any} init */
    async fetch(input, init) {
      if (String(input).endsWith('/worker')) {
        const [line, ...rest] = (await init.body.text()).split('\n');
        told.push({ ...JSON.parse(line), bytes: rest.join('\n') });
        return new Response(null, { status: 204 });
      }
      return new Response('of the network');
    },
  });
  startServiceWorker(global, JSON.stringify({ endpoint: '/__xcheck/5ec', records }));
  return { global, told, heard };
}

/** @param {any} global @param {string} url @param {(request: any) => any} answer */
async function asked(global, url, answer) {
  const event = new global.FetchEvent(new Request(url));
  event.respondWith(answer(event.request));
  return event.given;
}

/**
 * What is told without being waited for has arrived.
 * @param {any[]} told
 * @param {number} count
 */
async function arrived(told, count) {
  while (told.length < count) {
    await new Promise((resolve) => setTimeout(resolve));
  }
}

test('what a worker makes up is told whole, and reaches the page as it is', async () => {
  const { global, told } = await worker(true);
  const made = new Response('made up', { status: 203, headers: { 'x-by': 'worker' } });
  assert.equal(await asked(global, 'http://a.test/x#here', () => made), made);
  assert.equal(told.length, 1);
  const { answered, bytes } = told[0];
  assert.deepEqual([answered.method, answered.url, answered.answer.status, bytes], ['GET', 'http://a.test/x', 203, 'made up']);
  assert.ok(answered.answer.headers.some(([name, value]) => name === 'x-by' && value === 'worker'));
});

test('what it passes on is only told of, also when it was cloned', async () => {
  const { global, told } = await worker(true);
  await asked(global, 'http://a.test/x', (request) => global.fetch(request).then((/** @type {any} */ response) => response.clone()));
  await arrived(told, 2);
  assert.deepEqual(told.map((each) => Object.keys(each)[0]), ['fetching', 'over']);
  assert.deepEqual(told[1].over, { id: told[0].fetching[0].id, passed: true });
});

test('what it asks for beside its answer is its own', async () => {
  const { global, told } = await worker(true);
  await asked(global, 'http://a.test/x', async (request) => {
    await global.fetch(request);
    return new Response('kept');
  });
  await arrived(told, 3);
  assert.deepEqual(told.map((each) => Object.keys(each)[0]), ['fetching', 'answered', 'over']);
  assert.equal(told[2].over.passed, false);
});

test('an error is told as one', async () => {
  const { global, told } = await worker(true);
  await assert.rejects(asked(global, 'http://a.test/x', () => Promise.reject(new TypeError('no'))), TypeError);
  assert.deepEqual([told.length, 'answer' in told[0].answered], [1, false]);
});

test('it never hears of our own requests, nor of any while replaying', async () => {
  const recording = await worker(true);
  let stopped = 0;
  for (const path of ['/__xcheck/5ec/log', '/x']) {
    recording.heard.fetch[0]({ request: { url: 'http://a.test' + path }, stopImmediatePropagation: () => (stopped += 1) });
  }
  assert.equal(stopped, 1);
  const { global, heard } = await worker(false);
  const listener = () => {};
  global.addEventListener('fetch', listener);
  global.addEventListener('install', listener);
  global.onfetch = listener;
  assert.equal(global.onfetch, listener);
  assert.deepEqual(heard, { install: [listener] });
});
