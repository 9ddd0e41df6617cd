/**
 * What a worker gets in front of its script: its random numbers and its time are recorded, or given again. Everything
 * else a worker does for itself; what it says to the page is held there until its turn has come.
 *
 * A worker has no events that anybody but itself sees, so all its answers are one sequence. They are sent before each
 * message, because a page may end a worker as soon as it has answered.
 */
import { append, apply, parseJson, round, trunc, uncurry } from './natives.js';
import { encode } from './json.js';
import { createPatcher } from './patch.js';
import { continueSequence } from './sequence.js';
import { installClock } from './sources/clock.js';
import { installDates } from './sources/dates.js';
import { installNumbers } from './sources/numbers.js';

/** More answers of a kind are not logged. */
const MOST_ANSWERS = 65_536;
const SEND_AFTER_MS = 100;
/** How far the clock goes on with each reading that the log does not have. */
const READING_US = 50;

/**
 * @param {any} global
 * @param {string} configText `endpoint` and `exchange` while recording; `answers` while replaying
 */
export function startWorker(global, configText) {
  const config = parseJson(configText);
  const now = uncurry(global.performance.now);
  const realm = { global, random: global.Math.random, now: () => now(global.performance) };
  const patch = createPatcher(global);
  const engine = config.answers ? replaying(config.answers) : recording(realm, config, patch);
  installNumbers(/** @type {any} */ (realm), /** @type {any} */ (engine), patch);
  installDates(/** @type {any} */ (realm), /** @type {any} */ (engine), patch);
  installClock(/** @type {any} */ (realm), /** @type {any} */ (engine), patch);
}

/**
 * @param {any} realm
 * @param {any} config
 * @param {import('./patch.js').Patcher} patch
 */
function recording({ global, now }, config, patch) {
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
  let begun = false;

  function flush() {
    if (!waiting) {
      return;
    }
    waiting = false;
    const what = begun ? undefined : { kind: 'worker', exchange: config.exchange };
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
        flush();
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
      return value;
    },
    /**
     * @param {string} list
     * @param {() => number} produce
     */
    time(list, produce) {
      const value = list === 'date' ? trunc(produce()) : round(produce() * 1000);
      keep(list, value - last[list]);
      last[list] = value;
      return list === 'date' ? value : value / 1000;
    },
    answer: (/** @type {string} */ _api, /** @type {() => any} */ produce) => produce(),
    notice() {},
  };
}

/** @param {any} answers by list */
function replaying(answers) {
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
    /** @param {string} list */
    time(list) {
      last[list] += next(list) ?? (list === 'date' ? 0 : READING_US);
      return list === 'date' ? last[list] : last[list] / 1000;
    },
    answer: (/** @type {string} */ _api, /** @type {() => any} */ produce) => produce(),
    notice() {},
  };
}
