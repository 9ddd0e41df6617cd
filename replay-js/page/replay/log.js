/** The log of this load, as the replaying engine asks it: by id, by script, by kind of DOM event. */
import { append, indexOf, slice } from '../natives.js';
import { OF_A_FRAME } from '../sources/scripts.js';
import { addressText } from './made-addresses.js';

/** Events of one move of the pointer are nearer to each other than this. */
const SAME_INPUT_MS = 100;

/**
 * @typedef {object} Logged
 * @property {number} id
 * @property {number} at milliseconds since the epoch
 * @property {any} what
 * @property {any} local
 * @property {boolean} done it has run, or has been given up
 * @property {boolean} deferred it comes with the gesture that follows it in the log
 */

/** The window's own, after which the page has loaded. @param {any} what */
export function isLoadOfWindow(what) {
  return what.type === 'load' && what.target.object !== 'node';
}

/** What a person does, other than moving the pointer. @param {any} what */
export function isAct(what) {
  return what.gesture === true && what.type !== 'pointermove' && what.type !== 'mousemove';
}

/** @param {any[]} events in their order, as `trace::Event` */
export function readLog(events) {
  /** @type {Logged[]} */
  const ordered = [];
  /** @type {Logged[]} */
  const byId = [];
  for (let i = 0; i < events.length; i += 1) {
    const { id, at, what, local } = events[i];
    const logged = { id, at, what: what ?? { kind: 'none' }, local: { ...local }, done: false, deferred: false };
    undoDifferences(logged.local, 'date');
    undoDifferences(logged.local, 'now');
    append(ordered, logged);
    byId[id] = logged;
  }

  /**
   * The first event that has not run yet and fits.
   * @param {(logged: Logged) => boolean} fits
   */
  function next(fits) {
    for (let i = 0; i < ordered.length; i += 1) {
      if (!ordered[i].done && fits(ordered[i])) {
        return ordered[i];
      }
    }
    return undefined;
  }

  /**
   * The first event after another one that fits.
   * @param {number} id
   * @param {(logged: Logged) => boolean} fits
   */
  function firstAfter(id, fits) {
    for (let i = 0; i < ordered.length; i += 1) {
      if (ordered[i].id > id && fits(ordered[i])) {
        return ordered[i];
      }
    }
    return undefined;
  }

  const isOfParsing = (/** @type {any} */ what) => what.kind === 'script' || what.type === 'readystatechange';

  /** By their hash, once somebody asks. @type {any} */
  let callbacks = null;

  function callbacksByHash() {
    /** @type {any} */
    const known = { __proto__: null };
    for (let i = 0; i < ordered.length; i += 1) {
      const { timer = [], frame = [], idle = [] } = ordered[i].local;
      for (let k = 0; k < timer.length; k += 1) {
        known[timer[k].callback] = true;
      }
      for (let k = 0; k < frame.length; k += 1) {
        known[frame[k]] = true;
      }
      for (let k = 0; k < idle.length; k += 1) {
        known[idle[k]] = true;
      }
    }
    return known;
  }

  const isScript = (/** @type {string} */ key) => (/** @type {Logged} */ { what }) => what.kind === 'script' && addressText(what.key) === addressText(key);
  const endsEarly = firstAfter(-1, ({ what }) => isOfParsing(what)) !== undefined && firstAfter(-1, ({ what }) => isLoadOfWindow(what)) === undefined;

  return {
    ordered,
    next,
    /** @param {string} hash */
    knowsCallback(hash) {
      callbacks ??= callbacksByHash();
      return callbacks[hash] === true;
    },
    firstAfter,
    /** The page was left, or the recording ended, before it was loaded: what was on its way to it then comes here. */
    endsEarly,
    /**
     * Whether the recording may have ended while this script was on its way: nothing but leaving is left of it, and either it ended before the
     * page was loaded or the script had run before, so that nothing new was asked of a server.
     * @param {string} key
     */
    mayHaveCut: (key) => next(({ what }) => what.type !== 'pagehide') === undefined && (endsEarly || firstAfter(-1, isScript(key)) !== undefined),
    /**
     * The same, unless something is to be done by a person first.
     * @param {(logged: Logged) => boolean} fits
     */
    beforeGesture: (fits) => {
      const found = next((logged) => logged.what.gesture === true || fits(logged));
      return found?.what.gesture ? undefined : found;
    },
    /**
     * Leaving and entering an element are logged before the move that does it: they are awaited with it.
     * @param {Logged} logged
     */
    defer(logged) {
      const gesture = firstAfter(logged.id, ({ what }) => what.gesture === true);
      if (gesture) {
        const { at, what } = gesture;
        logged.deferred = at - logged.at < SAME_INPUT_MS && (!isAct(what) || what.type === 'pointerdown');
      }
      return logged.deferred;
    },
    /**
     * The same, unless something is to be pressed first. A key that is let go moves nothing: what moved when it was pressed
     * may be seen before or after.
     * @param {(logged: Logged) => boolean} fits
     */
    beforePress: (fits) => {
      const found = next((logged) => fits(logged) || (isAct(logged.what) && logged.what.type !== 'keyup'));
      return found && fits(found) ? found : undefined;
    },
    /**
     * The last event before another one that fits.
     * @param {number} id
     * @param {(logged: Logged) => boolean} fits
     */
    lastBefore(id, fits) {
      for (let i = ordered.length - 1; i >= 0; i -= 1) {
        if (ordered[i].id < id && fits(ordered[i])) {
          return ordered[i];
        }
      }
      return undefined;
    },
    /** @param {number} before */
    deferredBefore(before) {
      /** @type {Logged[]} */
      const found = [];
      for (let i = 0; i < ordered.length && ordered[i].id < before; i += 1) {
        if (ordered[i].deferred && !ordered[i].done) {
          append(found, ordered[i]);
        }
      }
      return found;
    },
    /**
     * What a person does, of these.
     * @param {number[]} ids
     */
    gestureOf(ids) {
      for (let i = 0; i < ids.length; i += 1) {
        const what = byId[ids[i]]?.what;
        if (what?.gesture) {
          return what;
        }
      }
      return undefined;
    },
    /** @param {number} id */
    byId: (id) => byId[id],
    /**
     * What was registered where an event says that it comes from.
     * @param {string} list
     * @param {number[]} of the event that registered it, and its place there
     */
    registered: (list, of) => byId[of[0]]?.local[list]?.[of[1]],
    /**
     * In which event a module ended.
     * @param {number} exchange that brought it
     */
    ranIn: (exchange) => {
      for (let i = 0; i < ordered.length; i += 1) {
        const ran = ordered[i].local.ran ?? [];
        for (let k = 0; k < ran.length; k += 1) {
          if (ran[k] === exchange) {
            return ordered[i];
          }
        }
      }
      return undefined;
    },
    /**
     * Frames are known by where they stand; one that stands elsewhere here, or of an older trace, by what is in it.
     * @param {string} key
     */
    nextScript: (key) => next(isScript(key)) ?? next(({ what }) => what.kind === 'script' && isOfAFrame(key) && isOfAFrame(what.key) && inItsFrame(key) === inItsFrame(what.key)),
    /**
     * @param {string} type
     * @param {(target: any) => boolean} isTarget
     */
    nextDom: (type, isTarget) => next(({ what }) => what.kind === 'dom' && what.type === type && isTarget(what.target)),
  };
}

/** @param {string} key */
const isOfAFrame = (key) => indexOf(key, OF_A_FRAME) === 0;

/** A script of a frame, without the frame. @param {string} key */
function inItsFrame(key) {
  const within = slice(key, OF_A_FRAME.length);
  return slice(within, indexOf(within, ' ') + 1);
}

/** @typedef {ReturnType<typeof readLog>} Log */

/**
 * Undoes the differences of a list of times.
 * @param {any} local
 * @param {string} list
 */
function undoDifferences(local, list) {
  const differences = local[list] ?? [];
  const values = [];
  let last = 0;
  for (let i = 0; i < differences.length; i += 1) {
    last += differences[i];
    values[i] = last;
  }
  local[list] = values;
}
