/**
 * The recording engine, with an eye on what is under way. The page runs by itself, and is recorded as ever; what differs
 * from a recording is that nobody sits before it: dialogs are answered here, and timers can be kept from firing.
 */
import { newWeakMap, slice } from '../natives.js';

/** What a callback does again and again is no news when it has gone on for so long. */
const CHAIN_MS = 2_000;

/** The first few of a chain always count: it may only be three steps long. */
const CHAIN_RUNS = 3;

/** Longer than any stillness that is asked for: what repeats faster moves something, and what repeats slower ticks. */
const TICK_MS = 60;

/** A thread that starts, loads its script and may ask the server for something: no page sees any of that until it says so. */
const WORKER = 'Worker';
const FIRST_WORD_MS = 1_000;

/** A page that asks again and again until it is told no is told no. */
const PATIENT_ANSWERS = 20;

/**
 * A callback that is registered again and again by what began with it: by itself, or by one that it takes turns with.
 * @typedef {object} Chain
 * @property {number} since
 * @property {number} runs
 * @property {boolean} changes the last run changed the page
 * @property {boolean} ticks as a clock does, with pauses in which the page is at rest
 */

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../record/engine.js').Engine} engine
 * @param {import('./activity.js').Activity} activity
 * @param {{notFired: {callback: string, index?: number}[], ahead: number, say: (message: any) => void}} options
 */
export function createLiveEngine(realm, engine, activity, { notFired, ahead, say }) {
  /**
   * By the `what` of an event in which a callback runs: the chains that go on from what registered the first of them, by their
   * callbacks.
   * @type {WeakMap<object, any>}
   */
  const families = newWeakMap();
  /** The repeated callback that runs now, until its task is over. @type {Chain | null} */
  let running = null;
  /** How often each callback was registered. @type {any} */
  const registrations = { __proto__: null };
  let answers = 0;

  /** @param {Chain} chain */
  function counts(chain) {
    return realm.now() - chain.since < CHAIN_MS && (chain.runs < CHAIN_RUNS || chain.changes);
  }

  /** @param {any} token */
  function familyOf(token) {
    return (token.event.what && families.get(token.event.what)) ?? { __proto__: null };
  }

  /**
   * @param {any} token
   * @param {any} family
   * @returns {Chain}
   */
  function chainOf(token, family) {
    const callback = token.identity.callback ?? token.identity;
    family[callback] ??= { since: realm.now(), runs: 0, changes: false, ticks: ticks(token.identity) };
    return family[callback];
  }

  /** @param {any} identity */
  function isNotFired(identity) {
    const index = registrations[identity.callback] ?? 0;
    registrations[identity.callback] = index + 1;
    for (let i = 0; i < notFired.length; i += 1) {
      if (notFired[i].callback === identity.callback && (notFired[i].index ?? index) === index) {
        say({ note: { text: 'a timer was kept from firing', callback: identity.callback, index } });
        return true;
      }
    }
    return false;
  }

  return {
    ...engine,
    /** The repeated callback whose task this is, if it is one. */
    running: () => running,
    counts,

    /**
     * @param {'date' | 'now'} list
     * @param {() => number} produce
     */
    time(list, produce) {
      return engine.time(list, list === 'date' ? () => produce() + ahead : produce);
    },

    /**
     * @param {string} list
     * @param {any} identity
     */
    register(list, identity) {
      const token = /** @type {any} */ (engine.register(list, identity));
      token.identity = identity;
      if (list === 'host' && slice(identity, 0, WORKER.length) === WORKER) {
        const since = realm.now();
        activity.begin(token, 'a worker', { counts: () => realm.now() - since < FIRST_WORD_MS });
      }
      return token;
    },

    /**
     * @param {any} token
     * @param {(fire: (what: any) => void) => any} arm
     * @param {(what: any) => void} run
     * @param {(handle: any) => void} disarm
     */
    schedule(token, arm, run, disarm) {
      const { list, identity } = token;
      if (list === 'timer' && isNotFired(identity)) {
        return () => {};
      }
      if (list === 'host') {
        // A person may be asked first, who is not here.
        return engine.schedule(token, arm, run, disarm);
      }
      const family = familyOf(token);
      const chain = chainOf(token, family);
      if (list !== 'idle') {
        const what = list === 'timer' ? 'a timer of ' + identity.delay + ' ms' : 'an animation frame';
        // Of one that repeats the first time counts: a clock may have no size before it. Nothing follows on that which did not
        // follow on the next tick.
        const isCounted = list === 'timer' && identity.repeat === true ? () => true : () => counts(chain);
        activity.begin(token, what, { due: list === 'timer' ? identity.delay : 1, counts: isCounted, news: !ticks(identity) });
      }
      const cancel = engine.schedule(
        token,
        (fire) =>
          arm((what) => {
            activity.end(token);
            families.set(what, family);
            running = chain;
            chain.runs += 1;
            chain.changes = false;
            realm.nextTurn(() => {
              running = null;
            });
            fire(what);
          }),
        run,
        disarm,
      );
      return () => {
        activity.end(token);
        return cancel();
      };
    },

    /**
     * @param {any} token
     * @param {Promise<any>} promise
     * @param {(value: any) => number | undefined} [sizeOf]
     * @param {true} [told]
     */
    held(token, promise, sizeOf, told) {
      const { list, identity } = token;
      if (list === 'fetch' || isBody(identity)) {
        activity.begin(token, list === 'fetch' ? identity.method + ' ' + identity.url : identity);
        const end = () => activity.end(token);
        realm.then(promise, end, end);
      }
      return engine.held(token, promise, sizeOf, told);
    },

    /**
     * @param {any} token
     * @param {any} what
     * @param {any} domEvent
     */
    happened(token, what, domEvent) {
      if (what.event === 'loadend' || token?.list === 'host') {
        activity.end(token);
      }
      activity.touch();
      engine.happened(token, what, domEvent);
    },

    /**
     * @param {string} api
     * @param {() => any} produce
     * @param {() => any} [invent]
     */
    answer(api, produce, invent) {
      const dialog = dialogOf(api);
      if (dialog === null) {
        return engine.answer(api, produce, invent);
      }
      answers += 1;
      say({ dialog: { kind: dialog, text: slice(api, 0, 500) } });
      const yes = answers <= PATIENT_ANSWERS || answers % 2 === 0;
      return engine.answer(api, () => (dialog === 'confirm' ? yes : dialog === 'prompt' ? (yes ? '' : null) : undefined));
    },
  };
}

/** @typedef {ReturnType<typeof createLiveEngine>} LiveEngine */

/** @param {any} identity of what is registered */
function ticks({ repeat, delay }) {
  return repeat === true && delay > TICK_MS;
}

/** @param {any} api a promise's name in the log */
function isBody(api) {
  return typeof api === 'string' && (slice(api, 0, 9) === 'Response.' || slice(api, 0, 5) === 'Blob.');
}

/** @param {string} api as `sources/dialogs.js` writes it: `confirm: Really?` */
function dialogOf(api) {
  const names = ['alert', 'confirm', 'prompt', 'print'];
  for (let i = 0; i < names.length; i += 1) {
    if (api === names[i] || slice(api, 0, names[i].length + 1) === names[i] + ':') {
      return names[i];
    }
  }
  return null;
}
