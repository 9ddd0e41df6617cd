/**
 * The engine that replays: gives the page the answers of the log, and keeps every completion until the log says so.
 *
 * The twin of `record/engine.js`: the same sources are written against both.
 */
import { VISITOR } from '../callers.js';
import { append } from '../natives.js';
import { UNKNOWN_SCRIPT } from '../place.js';
import { createCallbackHasher } from '../hash.js';
import { continueSequence } from '../sequence.js';
import { createAborts } from './aborts.js';
import { createAnswers } from './answers.js';
import { createClosing } from './closing.js';
import { createReplayEvents } from './events.js';
import { createHostEvents } from './host-events.js';
import { createListedAnswers } from './listed-answers.js';
import { createObserved } from './observed.js';
import { withOlderSpelling } from './older-spelling.js';
import { otherAt } from './other-means.js';
import { createPageSize } from './page-size.js';
import { pairsOf } from './pairs.js';
import { createPromisesHeld } from './promises-held.js';
import { createRethrown } from './rethrown.js';
import { standsFor } from './stand-ins.js';
import { createStrays } from './strays.js';
import { createVirtualTime } from './time.js';
import { createToldByDatabase } from './told-by-database.js';
import { captureViewTransitions } from './view-transitions.js';

/** @typedef {import('./events.js').Current} Current */

/**
 * What the page registered: the twin of one entry in a list of the log.
 * @typedef {object} Entry
 * @property {Current} event
 * @property {string} list
 * @property {number} index
 * @property {number} at when it was registered, by the page's clock
 * @property {any} identity
 * @property {boolean} live
 * @property {boolean} taken it has been run, or is another's proper partner
 * @property {((what: any) => void) | null} run
 * @property {{outcome: string, settle: () => void} | null} settled
 * @property {{type: string, event: any, data?: any, given?: any, count?: number, ofLook?: boolean, within?: (run: () => void) => Promise<void>, deliver?: (given: any) => void}[]} arrivals
 * @property {{given: any, deliver: (given: any) => void} | null} lastTold to an observer
 * @property {boolean} missed what the log had last did not come: what is told with a frame is not waited for as long again
 * @property {boolean} unlike it has said something else than the log
 * @property {boolean} told what it settles with is the log's
 * @property {any} settle functions by outcome
 * @property {any} view what the page may see of a request
 * @property {((size: number | undefined) => void) | null} pull brings the piece of a stream that was read
 * @property {any} source what promises it, tells of it, or can take it back
 */

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./log.js').Log} log
 * @param {import('./findings.js').Findings} findings
 * @param {import('./waiting.js').Waiting} waiting
 * @param {(element: any, realm: import('../natives.js').Realm, load: import('../natives.js').Realm) => {key: string, order: string}} nameScript
 * @param {import('./posing.js').Posing} posing
 * @param {boolean} own this is the browser that the log was recorded in
 */
export function createReplayEngine(realm, log, findings, waiting, nameScript, posing, own) {
  const time = createVirtualTime(log);
  const answers = createAnswers(findings);
  const listed = createListedAnswers(findings);
  const aborts = createAborts(realm);
  const observed = createObserved(realm, waiting, own);
  const transitions = captureViewTransitions(realm);
  const rethrown = createRethrown(findings);
  /** Where DOM events go; set by the gestures and arrivals, which need this engine. */
  const realms = { added: (/** @type {import('../natives.js').Realm} */ _realm) => {} };
  const dom = { arrived: (/** @type {any} */ _event, /** @type {() => any} */ _describe, /** @type {boolean} */ _gesture) => {}, awaited: (/** @type {string} */ _type) => false };
  const looks = { areTaken: () => false };
  const errors = { came: /** @type {(error: any, event: Current, said?: ArrayLike<any>) => import('./log.js').Logged | undefined} */ ((_error, _event) => undefined) };

  const size = createPageSize(realm, findings, own);
  const strays = createStrays();
  const hostEvents = createHostEvents(log, findings, strays, (of) => (events.byId(of[0]) ? partner('host', of) : null));
  const closed = createClosing({ log, findings, strays, rethrown, answers, listed, global: realm.global });
  const events = createReplayEvents(realm, log, waiting, nameScript, { reached, closed });
  const { place, open, begin, nearest, hasAsked } = events;
  const { hold, held, read } = createPromisesHeld(realm, waiting, { register, aborts, transitions });
  const database = createToldByDatabase(realm, events);

  /** @param {import('./log.js').Logged} logged */
  function reached(logged) {
    time.reach(logged.at);
    size.reached(logged);
  }

  /**
   * The event that asks. What comes after an `import()` of something that is there already runs in a task of its own in one
   * engine, and in the microtasks of the event that asked in another: where this one has no more, it is the next.
   * @param {string} list
   */
  function asking(list) {
    const event = place.current();
    const had = event.registered?.[list]?.length ?? event.counts[list] ?? 0;
    const next = event.logged && had >= (event.logged.local[list]?.length ?? 0) ? log.byId(event.logged.id + 1) : undefined;
    if (!next || next.done || next.what.key !== UNKNOWN_SCRIPT || !next.local[list] || !events.mayRun(next)) {
      return event;
    }
    const opened = open(next);
    place.goOn(opened);
    waiting.changed();
    return opened;
  }

  /**
   * @param {string} list
   * @param {any} identity
   * @returns {Entry}
   */
  function register(list, identity) {
    const event = asking(list);
    const stands = list === 'timer' && event !== VISITOR ? standsFor(realm, event, identity) : undefined;
    if (stands) {
      findings.note(event.id, 'a timer where others have ' + (stands.list === 'idle' ? 'an idle callback' : stands.identity));
      const entry = enter(event, stands.list, stands.identity);
      if (stands.isCalled) {
        // Its end is nobody's here, and comes to nothing.
        entry.run = () => {};
        return enter(event, 'host', stands.identity);
      }
      return entry;
    }
    return enter(event, list, identity);
  }

  /**
   * @param {any} event
   * @param {string} list
   * @param {any} identity
   * @returns {Entry}
   */
  function enter(event, list, identity) {
    const entries = event === VISITOR ? [] : (event.registered[list] ??= []);
    const entry = { event, list, index: entries.length, at: time.now(), identity, live: true, taken: false, run: null, settled: null, arrivals: [], lastTold: null, missed: false, unlike: false, told: false, settle: null, view: null, pull: null, source: null };
    append(entries, entry);
    return entry;
  }

  /**
   * What stands for an entry of the log in the event that registers it.
   * @param {string} list
   * @param {number[]} of the event, and its place there
   * @returns {Entry | undefined}
   */
  function partner(list, of) {
    const event = events.byId(of[0]);
    if (!event) {
      return undefined;
    }
    const at = pairsOf(list, event)[of[1]];
    return at === undefined ? otherAt(event, list, of[1]) : event.registered[list][at];
  }

  const hashCallback = withOlderSpelling(createCallbackHasher(rethrown.learn), log.knowsCallback);

  return {
    recording: false,
    inline: false,
    address: '',
    place,
    hashCallback,
    addRealm(/** @type {import('../natives.js').Realm} */ added) {
      place.addRealm(added);
      realms.added(added);
    },
    removeRealm: place.removeRealm,
    inside: place.inside,
    nested: events.nested,
    isVisited: () => place.isVisited(),
    /** Whether an event of this type is announced; set by the gestures. */
    isAwaited: (/** @type {string} */ type) => dom.awaited(type),
    register,
    begin,
    beginDispatched: events.beginDispatched,
    goOnTelling: events.goOnTelling,
    awaitsHost: hostEvents.awaits,
    letTransactionsGo: database.letGo,
    close: events.close,
    nearest,
    time: /** @param {'date' | 'now'} list @param {() => number} produce */ (list, produce) => {
      const event = asking(list);
      if (event === VISITOR) {
        return produce();
      }
      const logged = listed.next(event, list);
      return time.value(list, logged, event.counts[list]);
    },
    virtualTime: time,
    dom: /** @type {(event: any, describe: () => any, gesture: boolean, byDriver: boolean) => void} */ ((event, describe, gesture) => dom.arrived(event, describe, gesture)),
    onAwaited: (/** @type {typeof dom.awaited} */ awaited) => {
      dom.awaited = awaited;
    },
    /** Called before anything in a window is replaced. */
    onRealm: /** @param {typeof realms.added} added */ (added) => {
      realms.added = added;
    },
    onDom: /** @param {typeof dom.arrived} arrived */ (arrived) => {
      dom.arrived = arrived;
    },
    onError: /** @param {typeof errors.came} came */ (came) => {
      errors.came = came;
    },

    /** Whether the page is looked at; set by the animations. */
    onLook: (/** @type {() => boolean} */ areTaken) => {
      looks.areTaken = areTaken;
    },

    /** @param {number} id */
    event: (id) => events.byId(id),

    /** @param {number} id */
    hasAsked(id) {
      const event = events.byId(id);
      return event === undefined || hasAsked(event);
    },

    /** @param {number} id */
    hasRun(id) {
      const event = events.byId(id);
      return event === undefined || events.hasRun(event);
    },
    moduleRan: events.moduleRan,
    moduleComes: events.moduleComes,

    transitions,
    observed,

    takenBack: aborts.takenBack,
    strays,
    partner,

    /** How many random numbers the event that is going on has had. */
    drawn() {
      const event = place.current();
      return event === VISITOR ? 0 : event.counts.random ?? 0;
    },
    /** It is given them again from there. @param {number} count */
    drawAgain(count) {
      place.current().counts.random = count;
    },

    /** @returns {null} the log has them */
    keeper: () => null,

    /**
     * @template T
     * @param {string} list
     * @param {() => T} produce
     * @param {(event: number, call: number) => T} [invent] what the page gets when the log has no more
     * @returns {T}
     */
    value(list, produce, invent) {
      const event = asking(list);
      if (event === VISITOR) {
        return produce();
      }
      const logged = listed.next(event, list);
      if (logged !== undefined) {
        return logged;
      }
      const call = event.counts[list] - 1;
      return invent ? invent(event.id, call) : /** @type {any} */ (continueSequence(event.id, call));
    },

    /**
     * @template T
     * @param {string} api
     * @param {() => T} produce
     * @param {() => T} [invent]
     * @returns {T}
     */
    answer(api, produce, invent) {
      const event = place.current();
      if (event === VISITOR) {
        return produce();
      }
      const found = answers.next(event, api, invent !== undefined);
      // A picture that is not there cannot be drawn, whatever there was when it was recorded.
      const given = found && !(found[1] === true && api === 'HTMLImageElement.complete');
      return given ? (found[1] ?? undefined) : (invent ?? produce)();
    },

    /**
     * @param {Entry} token
     * @param {(fire: (what: any) => void) => any} arm
     * @param {(what: any) => void} run
     * @param {(handle: any) => void} disarm
     */
    schedule(token, arm, run, disarm) {
      if (token.event === VISITOR) {
        const handle = arm(run);
        return () => disarm(handle);
      }
      token.run = run;
      return () => {
        token.live = false;
      };
    },

    hold,
    held,
    read,

    /**
     * @param {Entry} token
     * @param {any} what
     * @param {any} domEvent
     */
    happened(token, what, domEvent) {
      if (token.event === VISITOR || events.nested(domEvent)) {
        return;
      }
      const { isLetThrough, logged, mayWait } = hostEvents.came(token, what.event);
      if (mayWait && database.waits(token, what, logged, domEvent)) {
        realm.stopImmediatePropagation(domEvent);
        waiting.changed();
        return;
      }
      if (isLetThrough) {
        begin(logged, domEvent);
        waiting.changed();
        return;
      }
      realm.stopImmediatePropagation(domEvent);
      if (what.event === 'error') {
        // Otherwise a worker's exception is the page's before its turn has come.
        realm.preventDefault(domEvent);
      }
      append(token.arrivals, { type: what.event, event: domEvent, data: what.data });
      waiting.changed();
    },

    /**
     * @param {Entry} token
     * @param {(self: any, given: any) => any} deliver
     */
    deliveries(token, deliver) {
      if (token.event === VISITOR) {
        return deliver;
      }
      posing.noteObserver(token.identity);
      return (/** @type {any} */ self, /** @type {any} */ given, /** @type {number | undefined} */ count) => {
        if (!posing.isOwn(token.identity)) {
          return;
        }
        return transitions.answered(token.identity, deliver, (whenDue) => {
          const fresh = count && observed.bring(token, given);
          if (fresh === 0) {
            return;
          }
          append(token.arrivals, { type: 'deliver', event: null, given, count: fresh, ofLook: looks.areTaken(), deliver: (/** @type {any} */ whole) => whenDue(self, whole) });
          waiting.changed();
        });
      };
    },

    /**
     * @param {any} error
     * @param {any} [domEvent] tells the page, whose listeners run in the error's own event
     * @param {ArrayLike<any>} [said] all that the page wrote to the console
     */
    error(error, domEvent, said) {
      const logged = errors.came(error, place.current(), said);
      if (domEvent) {
        place.lay(open(logged), domEvent);
      }
    },

    /**
     * @param {string} _kind
     * @param {string} _what
     */
    notice(_kind, _what) {},

    /**
     * @param {any} element
     * @param {string} type
     */
    scriptRan(element, type) {
      events.scriptRan(element, type);
      waiting.changed();
    },
  };
}

/** @typedef {ReturnType<typeof createReplayEngine>} ReplayEngine */
