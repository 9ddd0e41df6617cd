/** Running one internal event of the log: what it needs is awaited, checked, and then given to the page. */
import { append } from '../natives.js';
import { UNKNOWN_SCRIPT } from '../place.js';
import { broughtTo, takeBrought, waitForWords } from './brought.js';
import { createDeliveries } from './deliveries.js';
import { dispatchAgain } from './dispatched-again.js';
import { endsOfAnimations } from './frame-ends.js';
import { othersBefore } from './other-means.js';
import { identityText } from './registrations.js';

/** For what the browser has to bring by itself: a response, a script, a promise. Generous, because a loaded machine is no difference. */
const DEADLINE_MS = 10_000;
/** For code that ran outside all events: a module imported by a script, or a test driver, which is not here. */
const UNKNOWN_DEADLINE_MS = 3_000;

/** After so many events of one type in a row code came in the recording, and none here: it is not waited for as long again. */
const OFTEN = 2;
/** For events that the browser may well not have at all. */
const EVENT_DEADLINE_MS = 3_000;
/** A module that awaits something runs on without delay, or for other reasons. */
const MODULE_MS = 1_000;

/** Without a sound card, one engine says that it plays and another waits for one. */
const OF_SOUND = { __proto__: null, 'AudioContext.resume': true, 'AudioContext.suspend': true };

/**
 * @param {{
 *   realm: import('./realm.js').ReplayRealm,
 *   log: import('./log.js').Log,
 *   engine: import('./engine.js').ReplayEngine,
 *   findings: import('./findings.js').Findings,
 *   waiting: import('./waiting.js').Waiting,
 *   arrivals: import('./arrivals.js').Arrivals,
 *   parsing: import('./parsing.js').Parsing,
 *   outOfSight: import('./out-of-sight.js').OutOfSight,
 *   animations: import('./animations.js').Animations,
 *   say: (message: any) => void,
 * }} parts
 */
export function createPerformer({ realm, log, engine, findings, waiting, arrivals, parsing, outOfSight, animations, say }) {
  /** How often code of no event was waited for in vain, by the type of the event before it. @type {any} */
  const inVain = { __proto__: null };
  const deliver = createDeliveries({ log, engine, findings, waiting, animations, deadlineMs: EVENT_DEADLINE_MS, runIn });

  /**
   * @param {import('./log.js').Logged} logged
   * @param {() => void} run
   */
  function runIn(logged, run) {
    const { kind, event } = logged.what;
    return waiting.turn(() => {
      outOfSight.look();
      if (kind === 'dom' || (kind === 'host' && event !== 'deliver')) {
        engine.beginDispatched(logged);
      } else {
        engine.begin(logged);
      }
      engine.inside(run);
    });
  }

  /**
   * X-Check's rule: the callback at (event, index) if it is the same one; otherwise the same one elsewhere in that
   * event's list, flagged; otherwise none, flagged. Where more than one is of that name, it is the one that `pairs.js` finds.
   * Before none, one that another event has registered beyond the log's.
   * @param {import('./log.js').Logged} logged
   * @param {string} list
   * @param {(entry: import('./engine.js').Entry) => boolean} usable
   * @returns {import('./engine.js').Entry | undefined}
   */
  function find(logged, list, usable) {
    // Taking an array apart would ask the page's iterator.
    const eventId = logged.what.of[0];
    const index = logged.what.of[1];
    const entries = engine.event(eventId)?.registered[list] ?? [];
    const expected = log.registered(list, logged.what.of);
    const name = expected === undefined ? '?' : identityText(list, expected);
    const proper = entries[index];
    const partner = engine.partner(list, logged.what.of);
    if (partner && usable(partner)) {
      // What is registered by other means has been told of where it was, and moves those behind it.
      const isProper = proper && identityText(list, proper.identity) === name;
      if (!partner.taken && !isProper && partner.list === list && partner.index !== index + othersBefore(partner)) {
        flag(logged, list, name, list + ' at ' + eventId + '.' + partner.index + ' instead of ' + index, false);
      }
      partner.taken = true;
      return partner;
    }
    const stray = engine.strays.find(list, logged.what.of, name);
    if (stray) {
      if (stray.isNew) {
        flag(logged, list, name, list + ' registered in another event than ' + eventId, false);
      }
      return stray.entry;
    }
    flag(logged, list, name, proper ? list + ' ' + identityText(list, proper.identity) + (usable(proper) ? '' : ', cancelled') : 'nothing registered', true);
    return undefined;
  }

  /**
   * @param {import('./log.js').Logged} logged
   * @param {string} list
   * @param {string} name
   * @param {string} actual
   * @param {boolean} missing
   */
  function flag(logged, list, name, actual, missing) {
    const isRequest = list === 'xhr' || list === 'fetch';
    const kind = isRequest ? (missing ? 'request-missing' : 'request-differs') : missing ? 'callback-missing' : 'wrong-callback';
    findings.diverged(logged.id, kind, list + ' ' + name, actual);
  }

  /**
   * @param {import('./log.js').Logged} logged
   * @param {string} list
   */
  async function callback(logged, list) {
    const entry = find(logged, list, ({ live }) => live);
    const run = entry?.run;
    if (run) {
      await runIn(logged, () => run(logged.what));
    }
  }

  /**
   * Those who wait for the end of one go on when all have been told.
   * @param {import('./log.js').Logged[]} ends
   */
  async function endTogether(ends) {
    /** @type {(import('./engine.js').Entry | undefined)[]} */
    const entries = [];
    for (let i = 0; i < ends.length; i += 1) {
      const entry = find(ends[i], 'promise', () => true);
      append(entries, entry);
      if (entry) {
        animations.end(entry.source);
      }
    }
    const areSettled = () => {
      for (let i = 0; i < entries.length; i += 1) {
        if (entries[i]?.settled === null) {
          return false;
        }
      }
      return true;
    };
    await waiting.until(areSettled, DEADLINE_MS);
    await waiting.turn(() => {
      for (let i = 0; i < ends.length; i += 1) {
        const settled = entries[i]?.settled;
        ends[i].done = true;
        if (settled) {
          engine.begin(ends[i]);
          engine.inside(settled.settle);
        }
        if (entries[i] && settled?.outcome !== 'fulfilled') {
          findings.diverged(ends[i].id, 'settled-otherwise', 'fulfilled', settled?.outcome ?? 'still pending');
        }
      }
    });
  }

  /** @param {import('./log.js').Logged} logged */
  async function settle(logged) {
    const ends = endsOfAnimations(log, logged);
    if (ends.length > 1) {
      await endTogether(ends);
      return;
    }
    const { list, outcome, size, value } = logged.what;
    const entry = find(logged, list, () => true);
    if (!entry) {
      return;
    }
    const { run } = entry;
    if (run) {
      // A timer that stands for it: taken back it runs no more.
      if (entry.live && outcome === 'fulfilled') {
        await runIn(logged, () => run(logged.what));
      }
      return;
    }
    if (entry.told && value !== undefined) {
      const settle = entry.settle[outcome];
      await runIn(logged, () => settle(outcome === 'fulfilled' ? value : new realm.interfaces.DOMException(value[0], value[1])));
      return;
    }
    if (OF_SOUND[/** @type {'AudioContext.resume'} */ (entry.identity)] && outcome === 'fulfilled') {
      await runIn(logged, () => entry.settle.fulfilled());
      return;
    }
    entry.pull?.(size);
    if (entry.identity === 'Animation.finished' && outcome === 'fulfilled') {
      animations.end(entry.source);
    } else if (entry.identity === 'Animation.ready' && outcome === 'fulfilled' && entry.settled === null) {
      // When it is depends on the browser's frames, which may stay out on a busy machine: then the log's word is taken.
      animations.step();
      await waiting.nextFrames(() => entry.settled !== null);
      const { settle: give, source } = entry;
      if (entry.settled === null && source) {
        await runIn(logged, () => give.fulfilled(source));
        return;
      }
    }
    const skipped = outcome === 'rejected' ? engine.transitions.skipped(entry.identity) : null;
    if (skipped && entry.settled?.outcome !== outcome) {
      await runIn(logged, () => entry.settle.rejected(skipped.reason));
      return;
    }
    const isSettled = () => entry.settled !== null;
    await (list === 'fetch' && outcome === 'fulfilled' ? untilAnswered(entry.identity, isSettled) : waiting.until(isSettled, DEADLINE_MS));
    const { settled } = entry;
    if (settled === null) {
      findings.diverged(logged.id, 'settled-otherwise', outcome, 'still pending');
      return;
    }
    if (settled.outcome !== outcome) {
      const rejection = outcome === 'rejected' ? engine.takenBack(entry.source) : null;
      if (rejection) {
        await runIn(logged, () => entry.settle.rejected(rejection.reason));
        return;
      }
      findings.diverged(logged.id, 'settled-otherwise', outcome, settled.outcome);
    }
    await runIn(logged, settled.settle);
  }

  /**
   * The proxy hears of it: where a request that is given up has not come as far, this one may have its place.
   * @param {any} request
   * @param {() => boolean} ready
   */
  async function untilAnswered(request, ready) {
    if (!ready()) {
      say({ awaits: { method: request.method, url: request.url } });
      await waiting.until(ready, DEADLINE_MS);
      say({ awaits: null });
    }
  }

  /** @param {import('./log.js').Logged} logged */
  async function xhr(logged) {
    const entry = find(logged, 'xhr', () => true);
    if (!entry?.view) {
      return;
    }
    const { view } = entry;
    const isReady = () => view.ready(logged.what);
    await (logged.what.status > 0 ? untilAnswered(entry.identity, isReady) : waiting.until(isReady, DEADLINE_MS));
    const actual = view.present(logged.what);
    if (actual !== logged.what.event) {
      findings.diverged(logged.id, 'settled-otherwise', logged.what.event, actual);
    }
    await runIn(logged, () => view.dispatch(actual, logged.what));
  }

  /** What cannot be held is seen before the page's listeners are told of it: their turn, and that of their microtasks. */
  async function cameByItself() {
    await waiting.turn(() => {});
  }

  /** @param {import('./log.js').Logged} logged */
  async function host(logged) {
    const { event, data } = logged.what;
    const entry = find(logged, 'host', () => true);
    if (!entry) {
      return;
    }
    const { run } = entry;
    if (run) {
      await runIn(logged, () => run(logged.what));
      return;
    }
    if (event === 'deliver') {
      await deliver(logged, entry);
      return;
    }
    if (entry.identity === 'Animation' && event === 'finish' && entry.source) {
      animations.end(entry.source);
    }
    await waiting.until(() => logged.done || broughtTo(entry, event) !== undefined, EVENT_DEADLINE_MS);
    if (logged.done) {
      await cameByItself();
      return;
    }
    await waitForWords(entry, event, data, waiting, EVENT_DEADLINE_MS);
    const arrival = takeBrought(entry, event, data);
    if (!arrival) {
      findings.diverged(logged.id, 'event-missing', event + ' on ' + entry.identity, 'nothing');
      return;
    }
    if (typeof data === 'string' && arrival.data !== data) {
      findings.diverged(logged.id, 'message-differs', entry.identity + ' ' + data, entry.identity + ' ' + arrival.data);
    }
    await runIn(logged, () => {
      const copy = dispatchAgain(realm, arrival.event, realm.eventTarget(arrival.event));
      if (event === 'error' && copy.message !== undefined && !realm.defaultPrevented(copy)) {
        engine.error({ message: copy.message, source: copy.filename, line: copy.lineno, via: 'error' });
      }
    });
  }

  /** @param {import('./log.js').Logged} logged */
  async function script(logged) {
    if (logged.what.key === UNKNOWN_SCRIPT) {
      const after = log.byId(logged.id - 1)?.what.type ?? '';
      if ((inVain[after] ?? 0) < OFTEN) {
        await waiting.until(() => logged.done, UNKNOWN_DEADLINE_MS);
      } else {
        await waiting.nextFrames(() => logged.done);
      }
      inVain[after] = logged.done ? 0 : (inVain[after] ?? 0) + 1;
      if (!logged.done) {
        findings.note(logged.id, 'what ran here in no event of the page did not run again');
      } else if (!engine.hasRun(logged.id)) {
        await waiting.expect(() => engine.hasRun(logged.id), MODULE_MS, 'a module that ended there');
        await waiting.turn(() => {});
      }
      return;
    }
    const came = await waiting.until(() => logged.done || parsing.cannotCome(logged.what), DEADLINE_MS);
    if (!logged.done) {
      findings.diverged(logged.id, 'script-missing', logged.what.key, came ? 'did not run, or called nothing that is recorded' : 'not run in time');
    } else if (logged.what.order === 'module') {
      await waiting.expect(() => engine.hasAsked(logged.id), MODULE_MS, 'all that ' + logged.what.key + ' did at its start');
    }
    // Its microtasks, too.
    await waiting.turn(() => {});
  }

  /** @param {import('./log.js').Logged} logged */
  async function dispatchDom(logged) {
    const outcome = await arrivals.perform(logged, EVENT_DEADLINE_MS, DEADLINE_MS, (run) => runIn(logged, run));
    if (outcome !== undefined) {
      findings.diverged(logged.id, 'event-missing', logged.what.type, outcome);
    }
  }

  /** @type {any} */
  const kinds = {
    __proto__: null,
    timer: (/** @type {any} */ logged) => callback(logged, 'timer'),
    frame: (/** @type {any} */ logged) => callback(logged, 'frame'),
    idle: (/** @type {any} */ logged) => callback(logged, 'idle'),
    settle,
    xhr,
    host,
    dom: dispatchDom,
  };

  return {
    /**
     * @param {import('./log.js').Logged} logged
     */
    async perform(logged) {
      const { kind } = logged.what;
      if (kind === 'script') {
        await script(logged);
      } else if (kind === 'host' && logged.done) {
        await cameByItself();
      } else if (!logged.done && kinds[kind]) {
        await parsing.beforeOther(logged);
        if (!logged.done) {
          await kinds[kind](logged);
        }
      }
      logged.done = !logged.deferred;
    },
  };
}
