/**
 * What the log does not know. Where a page goes another way than it did when it was recorded, since this browser lacks something or has
 * more, it asks for what nobody has recorded: a timer in the place of an observer, the next step after a promise that was broken then.
 * That it does so is told. What comes of it is as this browser brings it, in the log's time, so that the page is seen where its other
 * way leads, and not where it began.
 *
 * Not so requests: what a server would have answered is not known.
 */
import { max, min } from '../more-natives.js';
import { append, newWeakMap, splice } from '../natives.js';
import { createClaims } from './claims.js';
import { dispatchAgain } from './dispatched-again.js';

/** For promises that a browser keeps without delay, or for reasons that nobody knows. */
const PROMISED_MS = 1_000;

/** What a page does for itself before the next thing is done to it comes within that. */
const REST_MS = 500;

/** What goes on for ever is seen to go on, in so many runs of what a page asked for. */
const MOST_RUNS = 200;

const EVERY_FRAME_MS = 1000 / 60;

/** An interval of no length would never let the clock go on. */
const LEAST_MS = 4;

/** What an idle callback may take, in milliseconds. */
const IDLE_TIME = { remaining: 10, timed_out: false };

/** @typedef {import('./engine.js').Entry} Entry */
/** @typedef {{at: number, run: () => void}} Due */

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./log.js').Log} log
 * @param {import('./engine.js').ReplayEngine} engine
 * @param {import('./waiting.js').Waiting} waiting
 * @param {import('./scrolls.js').Scrolls} scrolls
 * @param {number} leftAt when the page was left that the log is of, by its own clock
 */
export function createBeyond(realm, log, engine, waiting, scrolls, leftAt) {
  const { virtualTime } = engine;
  const claims = createClaims(log, engine);
  /** When intervals are due next. */
  const again = newWeakMap();
  const waitedFor = newWeakMap();

  /**
   * @param {Entry} entry
   * @param {number} delay
   * @param {any} [what]
   * @returns {Due}
   */
  function callback(entry, delay, what) {
    const at = again.get(entry) ?? entry.at + delay;
    const run = () => {
      entry.taken = !entry.identity.repeat;
      again.set(entry, at + max(delay, LEAST_MS));
      entry.run?.({ __proto__: null, ...what, time: at - virtualTime.origin });
    };
    return { at, run };
  }

  /** @param {Entry} entry */
  function tell(entry) {
    const { event, given, count, deliver } = splice(entry.arrivals, 0, 1)[0];
    if (deliver) {
      // Observers are told again, and others once.
      entry.taken = count === undefined;
      deliver(given);
    } else {
      dispatchAgain(realm, event, realm.eventTarget(event));
    }
  }

  function tellOfScrolling() {
    const { event, target } = scrolls.take();
    dispatchAgain(realm, event, target);
  }

  /** @type {any} */
  const dues = {
    __proto__: null,
    timer: (/** @type {Entry} */ entry) => callback(entry, max(entry.identity.delay, 0)),
    frame: (/** @type {Entry} */ entry) => callback(entry, EVERY_FRAME_MS),
    idle: (/** @type {Entry} */ entry) => callback(entry, 0, IDLE_TIME),
    promise(/** @type {Entry} */ entry) {
      const { settled } = entry;
      const run = () => {
        entry.taken = true;
        settled?.settle();
      };
      return settled ? { at: entry.at, run } : undefined;
    },
    host: (/** @type {Entry} */ entry) => (entry.arrivals.length > 0 ? { at: virtualTime.now(), run: () => tell(entry) } : undefined),
  };

  /** @returns {Entry[]} */
  function free() {
    const all = engine.strays.unclaimed();
    /** @type {Entry[]} */
    const found = [];
    for (let i = 0; i < all.length; i += 1) {
      if (dues[all[i].list] && !claims.isClaimed(all[i])) {
        append(found, all[i]);
      }
    }
    return found;
  }

  /**
   * @param {Entry[]} entries
   * @param {number} limit
   */
  function first(entries, limit) {
    /** @type {Due | undefined} */
    let earliest = scrolls.has() ? { at: virtualTime.now(), run: tellOfScrolling } : undefined;
    for (let i = 0; i < entries.length; i += 1) {
      const due = dues[entries[i].list](entries[i]);
      if (due && due.at <= limit && !(earliest && earliest.at <= due.at)) {
        earliest = due;
      }
    }
    return earliest;
  }

  /**
   * What is due until then, one after the other.
   * @param {number} limit by the page's clock
   * @param {number} latest the clock does not go on beyond that
   * @param {number} most runs
   * @returns how many of them are left
   */
  async function upTo(limit, latest, most) {
    let left = most;
    for (; left > 0; left -= 1) {
      const due = first(free(), limit);
      if (!due) {
        break;
      }
      await waiting.turn(() => {
        virtualTime.reach(min(due.at, latest));
        engine.begin(undefined);
        engine.inside(due.run);
      });
      engine.close();
    }
    return left;
  }

  /**
   * Whether the browser has brought something that nobody had to wait for before, and that `upTo` this limit runs: what runs may look
   * at the clock so often that it is beyond.
   * @param {number} limit
   */
  async function hasBrought(limit) {
    const entries = free();
    /** @type {Entry[]} */
    const awaited = [];
    let observes = false;
    for (let i = 0; i < entries.length; i += 1) {
      const { list } = entries[i];
      observes ||= list === 'host';
      if (list === 'promise' && !waitedFor.has(entries[i])) {
        waitedFor.set(entries[i], true);
        entries[i].pull?.(undefined);
        append(awaited, entries[i]);
      }
    }
    const has = () => first(entries, min(limit, virtualTime.now())) !== undefined;
    if (awaited.length > 0) {
      await waiting.until(has, PROMISED_MS);
    } else if (observes) {
      await waiting.nextFrames(has);
    }
    return has();
  }

  /**
   * The page is looked at when it has come to rest, unless something else happens before. Who points at something waits until it is
   * there; who types does not.
   * @returns what `upTo` takes first
   */
  function atRest() {
    const now = virtualTime.now();
    const next = log.next(({ what }) => what.type !== 'pagehide');
    const latest = next ? min(next.at, now + REST_MS) : max(now, leftAt);
    const isPointedAt = next?.what.gesture === true && isOfPointer(next.what.type);
    return { limit: isPointedAt ? now + REST_MS : latest, latest };
  }

  return {
    /**
     * Before an event of the log.
     * @param {import('./log.js').Logged} logged
     */
    async before({ at }) {
      await upTo(at, at, MOST_RUNS);
    },
    /** All that comes of what has been done, before the page is looked at. */
    async rest() {
      await scrolls.haveCome();
      if (!scrolls.has() && engine.strays.unclaimed().length === 0) {
        return;
      }
      const { limit, latest } = atRest();
      let left = MOST_RUNS;
      do {
        left = await upTo(limit, latest, left);
      } while (left > 0 && (await hasBrought(limit)));
    },
  };
}

/** @param {string} type */
const isOfPointer = (type) => type === 'pointerdown' || type === 'pointermove';
