import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayWorker } from '../../page/worker/replaying.js';

/**
 * A worker that was answered in this order, with what is told of the tasks that begin.
 * @param {string[]} order
 */
function worker(order) {
  /** @type {(() => void)[]} */
  const waits = [];
  /** @type {(() => void)[]} */
  const turns = [];
  class MessageChannel {
    port1 = { onmessage: () => {} };
    port2 = { postMessage: () => turns.push(() => this.port1.onmessage()) };
  }
  const global = { setTimeout: (/** @type {() => void} */ run) => waits.push(run), MessageChannel };
  const { begins, isSet } = replayWorker(global, { task: order });
  /** @type {string[]} */
  const begun = [];
  return {
    begun,
    isSet,
    /** @param {string} name @param {string} [text] @param {boolean} [again] */
    come(name, text = name, again = false) {
      const run = () => begun.push(text);
      if (begins(name, run, again)) run();
      for (let turn = turns.shift(); turn; turn = turns.shift()) turn();
    },
    /** All deadlines that are set run out. */
    wait() {
      for (const run of waits.splice(0)) run();
      for (let turn = turns.shift(); turn; turn = turns.shift()) turn();
    },
  };
}

test('tasks of a worker begin in the order of the log', () => {
  const { begun, come } = worker(['m0', 't1', 't2', 'm0', 't3']);
  come('t2');
  come('m0', 'start');
  come('m0', 'stop');
  assert.deepEqual(begun, ['start']);
  come('t3');
  come('t1');
  assert.deepEqual(begun, ['start', 't1', 't2', 'stop', 't3']);
  come('t4');
  assert.deepEqual(begun.at(-1), 't4', 'what the log does not have comes when it comes');
});

test('messages keep their own order, also when one comes in its turn', () => {
  const { begun, come } = worker(['t1', 'm0', 'm0']);
  come('m0', 'first');
  come('m0', 'second');
  come('t1');
  assert.deepEqual(begun, ['t1', 'first', 'second']);
});

test('of an interval that ticks too often one tick is kept', () => {
  const { begun, come } = worker(['t1', 'm0', 't1']);
  for (let tick = 0; tick < 5; tick += 1) come('t1', 'tick', true);
  come('m0', 'asked');
  assert.deepEqual(begun, ['tick', 'asked', 'tick', 'tick']);
});

test('an order that does not come true is given up, but not for a timer that is set', () => {
  const { begun, come, isSet, wait } = worker(['t1', 'm0', 'm0']);
  isSet('t1', true);
  come('m0', 'first');
  wait();
  assert.deepEqual(begun, []);
  isSet('t1', false);
  come('m0', 'second');
  wait();
  assert.deepEqual(begun, ['first', 'second']);
  come('m0', 'third');
  assert.deepEqual(begun.at(-1), 'third');
});
