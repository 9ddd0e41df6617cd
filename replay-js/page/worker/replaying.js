/**
 * Answers a worker as it was answered, and has its tasks begin in the order in which they began: what comes ahead of its turn is
 * held. Nothing is hurried, for what else a worker waits for (a request, a decoder) takes its time as well.
 */
import { append, splice, uncurry } from '../natives.js';
import { continueSequence } from '../sequence.js';

/** How far the clock goes on with each reading that the log does not have. */
const READING_US = 50;
/** Only what behaves otherwise than it did waits for this: for a task that does not come, and is no timer that is set. */
const STALLED_MS = 10_000;

/**
 * @param {any} global
 * @param {any} answers by list
 */
export function replayWorker(global, answers) {
  /** @type {any} */
  const counts = { __proto__: null };
  /** @type {any} */
  const last = { __proto__: null, date: 0, now: 0 };

  /** @param {string} list */
  function next(list) {
    const index = counts[list] ?? 0;
    counts[list] = index + 1;
    return answers[list]?.[index];
  }

  return {
    /**
     * @param {string} list
     * @param {() => any} _produce
     * @param {(event: number, call: number) => any} [invent]
     */
    value(list, _produce, invent) {
      const value = next(list);
      const call = counts[list] - 1;
      return value ?? (invent ? invent(0, call) : continueSequence(0, call));
    },
    /**
     * @param {string} list
     * @param {() => number} [_produce]
     */
    time(list, _produce) {
      last[list] += next(list) ?? (list === 'date' ? 0 : READING_US);
      return list === 'date' ? last[list] : last[list] / 1000;
    },
    answer: (/** @type {string} */ _api, /** @type {() => any} */ produce) => produce(),
    ...inOrder(global, answers.task ?? []),
    notice() {},
  };
}

/**
 * @param {any} global
 * @param {string[]} order names of tasks
 */
function inOrder(global, order) {
  const wait = uncurry(global.setTimeout);
  const { port1, port2 } = new global.MessageChannel();
  const post = uncurry(port2.postMessage);
  port1.onmessage = letGo;
  /** @type {{name: string, later: () => void}[]} what came ahead of its turn, oldest first */
  const held = [];
  let at = 0;
  /** What has begun so far, so that a standstill is known. */
  let begun = 0;

  /** @type {any} timers that are set, by name */
  const set = { __proto__: null };
  /** @type {any} how often each has its turn yet */
  const left = { __proto__: null };
  for (let i = 0; i < order.length; i += 1) {
    left[order[i]] = (left[order[i]] ?? 0) + 1;
  }

  /** @param {string} name */
  function indexOfHeld(name) {
    for (let i = 0; i < held.length; i += 1) {
      if (held[i].name === name) {
        return i;
      }
    }
    return -1;
  }

  /** @param {string} name */
  function countHeld(name) {
    let count = 0;
    for (let i = 0; i < held.length; i += 1) {
      count += held[i].name === name ? 1 : 0;
    }
    return count;
  }

  /** The order is one further. */
  function step() {
    left[order[at]] -= 1;
    at += 1;
  }

  function begin() {
    begun += 1;
    // What follows may be here already. A task of its own, after all microtasks of this one.
    post(port2, null);
  }

  /** @param {number} index */
  function release(index) {
    const { later } = splice(held, index, 1)[0];
    begin();
    later();
  }

  /** The next one, if it is held; the oldest when the order has come to its end. */
  function letGo() {
    const inTurn = at < order.length;
    const index = inTurn ? indexOfHeld(order[at]) : 0;
    if (held[index]) {
      if (inTurn) {
        step();
      }
      release(index);
    }
  }

  /** Where the next one does not come, the order is not that of this run, and is given up: else each task of it would be waited for. */
  function watchForStandstill() {
    const before = begun;
    wait(global, () => {
      if (held.length === 0) {
        return;
      }
      if (begun !== before || set[order[at]]) {
        watchForStandstill();
        return;
      }
      at = order.length;
      letGo();
    }, STALLED_MS);
  }

  /**
   * Whether a task goes on now. Otherwise it is called for later.
   * @param {string} name
   * @param {() => void} later
   * @param {boolean} [again] it comes again and again: of those that are too many one is kept
   */
  function begins(name, later, again) {
    if (at < order.length ? order[at] === name && indexOfHeld(name) < 0 : held.length === 0) {
      if (at < order.length) {
        step();
      }
      begin();
      return true;
    }
    if (!again || countHeld(name) <= (left[name] ?? 0)) {
      append(held, { name, later });
      if (held.length === 1) {
        watchForStandstill();
      }
    }
    return false;
  }

  return {
    begins,
    /**
     * @param {string} name of a timer
     * @param {boolean} is set, or run out or cleared
     */
    isSet(name, is) {
      set[name] = is;
    },
  };
}
