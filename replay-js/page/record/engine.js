/**
 * The engine that records: lets the browser do what it does, and writes down what the page was given and when.
 *
 * Every source is written against this interface and its twin in `replay/engine.js`.
 */
import { append, newWeakMap, round, setOfWords, trunc } from '../natives.js';
import { createPlace, UNKNOWN_SCRIPT } from '../place.js';
import { createCallbackHasher } from '../hash.js';
import { continueSequence } from '../sequence.js';
import { sizeOfPiece } from '../sources/streams.js';
import { pageIsCalling, VISITOR } from '../callers.js';

/** More answers of one kind in one event are not logged; see `sequence.js`. */
export const ANSWERS_LOGGED = 4096;

/** Gestures that something is done with: what they led to is sent at once. */
const ENDINGS = setOfWords('pointerup mouseup keyup change');

/**
 * @typedef {object} OpenEvent
 * @property {number} id
 * @property {number} at
 * @property {number} order
 * @property {any} what
 * @property {any} local lists not yet written
 * @property {any} had how many each list has had
 * @property {any} last last value of each delta-coded list
 * @property {boolean} written its first line is out
 * @property {boolean} waiting it is in the writer's queue
 */

/**
 * @typedef {object} Registered
 * @property {OpenEvent} event
 * @property {string} list
 * @property {number} index
 */

/**
 * @param {import('../natives.js').Realm} realm
 * @param {{url: string, queue: (event: OpenEvent) => void, send: (line: any) => void, hurry: () => void}} writer
 * @param {{order: number, at: number}} shared counts over all documents of the thread, and does not go back
 * @param {(element: any, realm: import('../natives.js').Realm, load: import('../natives.js').Realm) => {key: string, order: string}} nameScript
 */
export function createRecordEngine(realm, writer, shared, nameScript) {
  const { global } = realm;
  let nextId = 0;
  const scriptEvents = newWeakMap();
  /** @type {any} */
  const noticed = { __proto__: null };

  /** @param {any} what */
  function open(what) {
    // The clocks of Firefox's documents are a millisecond or two apart, and the counter is right.
    const at = realm.epoch();
    shared.at = at > shared.at ? at : shared.at;
    const event = {
      id: nextId,
      at: shared.at,
      order: shared.order,
      what,
      local: null,
      had: { __proto__: null },
      last: { __proto__: null },
      written: false,
      waiting: true,
    };
    nextId += 1;
    shared.order += 1;
    writer.queue(event);
    return event;
  }

  const place = createPlace(
    (element, scriptRealm) => {
      let event = scriptEvents.get(element);
      if (!event) {
        event = open({ kind: 'script', ...nameScript(element, scriptRealm, realm) });
        scriptEvents.set(element, event);
      }
      return event;
    },
    () => open({ kind: 'script', key: UNKNOWN_SCRIPT, order: 'module' }),
    () => (pageIsCalling() ? undefined : VISITOR),
  );

  /**
   * @param {OpenEvent} event
   * @param {string} list
   * @param {any} entry
   * @returns {number} its index
   */
  function add(event, list, entry) {
    if (event.local === null) {
      event.local = { __proto__: null };
      if (!event.waiting) {
        event.waiting = true;
        writer.queue(event);
      }
    }
    const index = event.had[list] ?? 0;
    event.had[list] = index + 1;
    append((event.local[list] ??= []), entry);
    return index;
  }

  /** @param {Registered} token */
  function of(token) {
    return [token.event.id, token.index];
  }

  /**
   * @param {any} what
   * @param {any} [domEvent]
   * @param {boolean} [byDriver]
   */
  function begin(what, domEvent = null, byDriver = false) {
    const event = open(what);
    place.begin(event, domEvent, byDriver);
    return event;
  }

  const hashCallback = createCallbackHasher((hash, source) => writer.send({ source: { hash, text: source } }));

  return {
    recording: true,
    /** The document's policies let scripts run that stand in it. */
    inline: false,
    address: writer.url,
    place,
    hashCallback,
    addRealm: place.addRealm,
    removeRealm: place.removeRealm,
    inside: place.inside,
    nested: place.nested,
    isVisited: () => place.isVisited(),
    /** Whether a replay waits for an event of this type. */
    isAwaited: (/** @type {string} */ _type) => true,

    /**
     * A synchronous answer.
     * @template T
     * @param {string} list
     * @param {() => T} produce
     * @param {(event: number, call: number) => T} [_invent] for a replay whose log has no more
     * @returns {T}
     */
    value(list, produce, _invent) {
      const event = place.current();
      if (event === VISITOR) {
        return produce();
      }
      const count = event.had[list] ?? 0;
      if (count >= ANSWERS_LOGGED && list === 'random') {
        event.had[list] = count + 1;
        return /** @type {any} */ (continueSequence(event.id, count));
      }
      const value = produce();
      if (count < ANSWERS_LOGGED) {
        add(event, list, value);
      }
      return value;
    },

    /**
     * An answer that is a time: milliseconds for `date`, whole microseconds for `now`.
     * @param {'date' | 'now'} list
     * @param {() => number} produce
     * @returns {number} what the page is given, as exactly as it is logged
     */
    time(list, produce) {
      const event = place.current();
      const value = list === 'date' ? trunc(produce()) : round(produce() * 1000);
      if (event !== VISITOR && (event.had[list] ?? 0) < ANSWERS_LOGGED) {
        add(event, list, value - (event.last[list] ?? 0));
        event.last[list] = value;
      }
      return list === 'date' ? value : value / 1000;
    },

    /**
     * An answer without a list of its own.
     * @template T
     * @param {string} api
     * @param {() => T} produce plain data only
     * @param {() => T} [_invent]
     * @returns {T}
     */
    answer(api, produce, _invent) {
      const event = place.current();
      const value = produce();
      if (event !== VISITOR && (event.had.answer ?? 0) < ANSWERS_LOGGED) {
        add(event, 'answer', [api, value ?? null]);
      }
      return value;
    },

    /**
     * For answers that come after their event is over.
     * @returns {(api: string, answer: any) => void}
     */
    keeper() {
      const event = place.current();
      return (api, answer) => {
        if (event !== VISITOR) {
          add(event, 'answer', [api, answer]);
        }
      };
    },

    /**
     * Something of the page's that will be heard of again.
     * @param {string} list
     * @param {any} identity
     * @returns {Registered}
     */
    register(list, identity) {
      const event = place.current();
      return { event, list, index: event === VISITOR ? -1 : add(event, list, identity) };
    },

    /**
     * A callback the page handed to the browser.
     * @param {Registered} token
     * @param {(fire: (what: any) => void) => any} arm hands it on to the browser, which calls `fire` when it is time
     * @param {(what: any) => void} run
     * @param {(handle: any) => void} disarm
     */
    schedule(token, arm, run, disarm) {
      const handle = arm(token.event === VISITOR ? run : (what) => {
        what.of = of(token);
        begin(what);
        place.inside(() => run(what));
      });
      return () => disarm(handle);
    },

    /**
     * A promise of the host: settles for the page in an event of its own.
     * @param {'fetch' | 'promise'} list
     * @param {any} identity
     * @param {() => Promise<any>} start
     * @param {any} [_source] what promises it, or can take it back: for a replay
     * @param {true} [told] the value is plain data and no doing of the engine's
     */
    hold(list, identity, start, _source, told) {
      const token = this.register(list, identity);
      const promise = start();
      return this.held(token, promise, undefined, told);
    },

    /**
     * The next piece of a stream.
     * @param {string} api
     * @param {any} _source
     * @param {() => Promise<any>} start
     */
    read(api, _source, start) {
      return this.held(this.register('promise', api), start(), sizeOfPiece);
    },

    /**
     * @param {Registered} token
     * @param {Promise<any>} promise
     * @param {(value: any) => number | undefined} [sizeOf]
     * @param {true} [told]
     */
    held(token, promise, sizeOf, told) {
      if (token.event === VISITOR) {
        return promise;
      }
      /** @type {any} */
      let turnOver = false;
      let waiting = /** @type {null | (() => void)} */ (null);
      realm.nextTurn(() => {
        turnOver = true;
        waiting?.();
      });
      return new realm.Promise((/** @type {any} */ resolve, /** @type {any} */ reject) => {
        /**
         * @param {'fulfilled' | 'rejected'} outcome
         * @param {(value: any) => void} settle
         */
        const reaction = (outcome, settle) => (/** @type {any} */ value) => {
          const deliver = () => {
            const size = outcome === 'fulfilled' ? sizeOf?.(value) : undefined;
            begin({ kind: 'settle', list: token.list, of: of(token), outcome, size, value: told && (value?.message ? [value.message, value.name] : value) });
            settle(value);
          };
          if (turnOver) {
            deliver();
          } else {
            waiting = deliver;
          }
        };
        realm.then(promise, reaction('fulfilled', resolve), reaction('rejected', reject));
      });
    },

    /**
     * A native event arrived at a host object, or at a request; the page's own listeners run next.
     * @param {Registered} token
     * @param {any} what without `of`
     * @param {any} domEvent
     */
    happened(token, what, domEvent) {
      if (token.event !== VISITOR && !place.nested(domEvent)) {
        what.of = of(token);
        begin(what, domEvent);
      }
    },

    /**
     * A DOM event arrived.
     * @param {any} domEvent
     * @param {() => any} describe
     * @param {boolean} gesture
     * @param {boolean} byDriver a test driver may have brought it about
     */
    dom(domEvent, describe, gesture, byDriver) {
      if (!place.nested(domEvent)) {
        const what = { kind: 'dom', ...describe() };
        begin(what, domEvent, byDriver);
        if (gesture && ENDINGS[what.type]) {
          // A replay that goes wrong alike in all browsers is known by it.
          what.data.elements = realm.byTagName(global.document, '*').length;
          writer.hurry();
        }
      }
    },

    /**
     * A host callback that may come any number of times, each in an event of its own.
     * @param {Registered} token
     * @param {(self: any, given: any) => any} deliver
     */
    deliveries(token, deliver) {
      return token.event === VISITOR ? deliver : (/** @type {any} */ self, /** @type {any} */ given, /** @type {number | undefined} */ data) => {
        begin({ kind: 'host', of: of(token), event: 'deliver', data });
        return place.inside(() => deliver(self, given));
      };
    },

    /**
     * @param {any} error
     * @param {any} [domEvent]
     */
    error(error, domEvent) {
      const event = open({ kind: 'error', ...error });
      if (domEvent) {
        place.lay(event, domEvent);
      }
    },

    /**
     * Something the page used that is not recorded, said once. The proxy makes a sentence of it.
     * @param {string} kind
     * @param {string} what
     */
    notice(kind, what) {
      if (!noticed[what]) {
        noticed[what] = true;
        writer.send({ notice: { kind, what } });
      }
    },

    /**
     * An arrival script that called nothing of ours still has a place in the order. WebKit tells it of modules that stand in the document, too.
     * @param {any} element
     * @param {string} type `load` or `error`
     */
    scriptRan(element, type) {
      place.scriptFinished(element);
      if (type === 'load' && !scriptEvents.has(element) && element.src && !place.nested()) {
        scriptEvents.set(element, begin({ kind: 'script', ...nameScript(element, realm, realm) }));
      }
    },
  };
}

/** @typedef {ReturnType<typeof createRecordEngine>} Engine */

/**
 * What the log does not have of an event yet. Later additions make a line of their own, with `local` only.
 * @param {OpenEvent} event
 */
export function lineOf(event) {
  return { id: event.id, at: event.at, order: event.order, what: event.written ? undefined : event.what, local: event.local ?? undefined };
}
