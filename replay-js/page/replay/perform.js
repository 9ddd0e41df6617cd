/** Running one internal event of the log: what it needs is awaited, checked, and then given to the page. */
import { UNKNOWN_SCRIPT } from '../place.js';
import { broughtTo, takeBrought, waitForWords } from './brought.js';
import { createDeliveries } from './deliveries.js';
import { dispatchAgain } from './dispatched-again.js';
import { NAVIGATION } from './host-events.js';
import { othersBefore } from './other-means.js';
import { identityText } from './registrations.js';
import { createSettling } from './settling.js';

/** For what the browser has to bring by itself: a response, a script, a promise. Generous, because a loaded machine is no difference. */
const DEADLINE_MS = 10_000;
/** For code that ran outside all events: a module imported by a script, or a test driver, which is not here. */
const UNKNOWN_DEADLINE_MS = 3_000;

/** After so many in a row that came in the recording, and not here, another is not waited for as long again. */
const OFTEN = 2;
/** For events that the browser may well not have at all. */
const EVENT_DEADLINE_MS = 3_000;
/** After so long nothing comes because something else is held. */
const STUCK_MS = 1_000;
/** What answers them is told within a transaction. */
const ANSWERS = 'IDBRequest';
/** A module that awaits something runs on without delay, or for other reasons. */
const MODULE_MS = 1_000;

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
 *   onTheWay: import('./on-the-way.js').OnTheWay,
 *   oneByOne: import('./one-by-one.js').OneByOne,
 *   animations: import('./animations.js').Animations,
 *   say: (message: any) => void,
 * }} parts
 */
export function createPerformer({ realm, log, engine, findings, waiting, arrivals, parsing, outOfSight, onTheWay, oneByOne, animations, say }) {
  /** How often code of no event was waited for in vain, by the type of the event before it. @type {any} */
  const inVain = { __proto__: null };
  /** The same of what the browser brings by itself. @type {any} */
  const notBrought = { __proto__: null };
  const deliver = createDeliveries({ log, engine, findings, waiting, animations, deadlineMs: EVENT_DEADLINE_MS, runIn });
  const settle = createSettling({ realm, log, engine, findings, waiting, animations, deadlineMs: DEADLINE_MS, find, runIn, untilAnswered });

  /**
   * @param {import('./log.js').Logged} logged
   * @param {() => void} run
   */
  function runNow(logged, run) {
    const { kind, event } = logged.what;
    outOfSight.look();
    onTheWay.scrolled();
    if (kind === 'dom' || (kind === 'host' && event !== 'deliver')) {
      engine.beginDispatched(logged);
    } else {
      engine.begin(logged);
    }
    engine.inside(run);
  }

  /**
   * @param {import('./log.js').Logged} logged
   * @param {() => void} run
   */
  async function runIn(logged, run) {
    await waiting.turn(() => runNow(logged, run));
    while (oneByOne.goesOn()) {
      await waiting.turn(() => {
        engine.goOnTelling();
        engine.inside(oneByOne.goOn);
      });
    }
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

  /**
   * What the browser brings by itself. What waits in transactions may keep it from coming, where this browser has others at a time.
   * @param {import('./log.js').Logged} logged
   * @param {string} of
   * @param {() => boolean} hasCome
   */
  async function come(logged, of, hasCome) {
    const name = of + ' ' + logged.what.event;
    const isUnlikely = (notBrought[name] ?? 0) >= OFTEN;
    engine.awaitsHost(logged);
    if (isUnlikely || !(await waiting.until(hasCome, STUCK_MS))) {
      engine.letTransactionsGo();
      await waiting.until(hasCome, isUnlikely ? STUCK_MS : EVENT_DEADLINE_MS);
    }
    engine.awaitsHost(null);
    notBrought[name] = hasCome() ? 0 : (notBrought[name] ?? 0) + 1;
  }

  /**
   * As `runIn`, while something is open that would be closed by then.
   * @param {(run: () => void) => Promise<void>} within
   */
  const runWithin = (within) => async (/** @type {import('./log.js').Logged} */ logged, /** @type {() => void} */ run) => {
    await within(() => runNow(logged, run));
    await waiting.turn(() => {});
  };

  /** @param {import('./log.js').Logged} logged */
  async function host(logged) {
    const { event, data } = logged.what;
    const entry = find(logged, 'host', () => true);
    if (!entry) {
      return;
    }
    const { run } = entry;
    if (run) {
      // A timer that stands for a task, and has been taken back, runs no more.
      await (entry.live ? runIn(logged, () => run(logged.what)) : waiting.turn(() => {}));
      return;
    }
    if (event === 'deliver') {
      await deliver(logged, entry);
      return;
    }
    if (entry.identity === 'Animation' && event === 'finish' && entry.source) {
      animations.end(entry.source);
    }
    const hasCome = () => logged.done || broughtTo(entry, event) !== undefined;
    if (entry.identity === NAVIGATION && event === 'navigate') {
      await arrivals.stepAhead(logged, hasCome);
    }
    await come(logged, entry.identity, hasCome);
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
    // Its transaction would be over by the second task.
    const isAnswer = entry.identity === ANSWERS;
    await (arrival.within ? runWithin(arrival.within) : runIn)(logged, () => {
      const target = realm.eventTarget(arrival.event);
      const copy = isAnswer ? dispatchAgain(realm, arrival.event, target) : oneByOne.dispatchAgain(arrival.event, target);
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
