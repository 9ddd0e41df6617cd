/**
 * Writes down what a worker is answered. Answers are sent before each message, because a page may end a worker as soon as it has
 * said something; the order of tasks alone is not worth the wait, and follows soon.
 */
import { append, apply, round, trunc, uncurry } from '../natives.js';
import { encode } from '../json.js';
import { continueSequence } from '../sequence.js';

/** More answers of a kind are not logged. */
const MOST_ANSWERS = 65_536;
const SEND_AFTER_MS = 100;

/**
 * @param {any} realm
 * @param {any} config
 * @param {import('../patch.js').Patcher} patch
 */
export function recordWorker({ global, now }, config, patch) {
  const Request = global.XMLHttpRequest;
  const open = uncurry(Request.prototype.open);
  const send = uncurry(Request.prototype.send);
  const later = uncurry(global.setTimeout);
  const { timeOrigin } = global.performance;
  const url = global.location.origin + config.endpoint + '/log';
  /** @type {any} */
  const counts = { __proto__: null };
  /** @type {any} */
  const last = { __proto__: null, date: 0, now: 0 };
  /** @type {any} */
  let local = {};
  let waiting = false;
  let urgent = false;
  let begun = false;

  function flush() {
    if (!waiting) {
      return;
    }
    waiting = urgent = false;
    const what = begun ? undefined : { kind: 'worker', exchange: config.exchange, made: config.made };
    const line = encode({ id: 0, at: timeOrigin + now(), order: 0, what, local });
    begun = true;
    local = {};
    try {
      const request = new Request();
      // Nothing may overtake it.
      open(request, 'POST', url, false);
      send(request, line);
    } catch {
      // The worker's own policy does not let it; it goes on as it would.
    }
  }

  /**
   * @param {string} list
   * @param {any} entry
   */
  function keep(list, entry) {
    counts[list] = (counts[list] ?? 0) + 1;
    if (counts[list] <= MOST_ANSWERS) {
      append((local[list] ??= []), entry);
      if (!waiting) {
        waiting = true;
        later(global, flush, SEND_AFTER_MS);
      }
    }
  }

  const speakers = [global, global.MessagePort.prototype, global.BroadcastChannel?.prototype];
  for (let i = 0; i < speakers.length; i += 1) {
    patch.method(speakers[i], 'postMessage', (original) => ({
      say() {
        if (urgent) {
          flush();
        }
        return apply(original, this ?? global, arguments);
      },
    }).say);
  }

  return {
    /**
     * @param {string} list
     * @param {() => any} produce
     */
    value(list, produce) {
      const value = list === 'random' && counts.random >= MOST_ANSWERS ? continueSequence(0, counts.random) : produce();
      keep(list, value);
      urgent = true;
      return value;
    },
    /**
     * @param {string} list
     * @param {() => number} produce
     */
    time(list, produce) {
      const value = list === 'date' ? trunc(produce()) : round(produce() * 1000);
      keep(list, value - last[list]);
      urgent = true;
      last[list] = value;
      return list === 'date' ? value : value / 1000;
    },
    answer: (/** @type {string} */ _api, /** @type {() => any} */ produce) => produce(),
    /**
     * @param {string} name
     * @param {() => void} _later
     * @param {boolean} [_again]
     */
    begins(name, _later, _again) {
      keep('task', name);
      return true;
    },
    /**
     * @param {string} _name
     * @param {boolean} _is
     */
    isSet(_name, _is) {},
    notice() {},
  };
}
