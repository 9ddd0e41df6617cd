/**
 * Native events that the page gets when the log says so: load events and whatever else the browser brings by itself.
 * They are stopped at the window and dispatched again when due.
 */
import { append, splice } from '../natives.js';

/** How many there are of these is up to the engine: the log's are given, the browser's own are swallowed. */
const STREAMS = { __proto__: null, scroll: true, scrollend: true, resize: true, selectionchange: true, progress: true, timeupdate: true, mousemove: true, pointermove: true, pointerrawupdate: true, mouseover: true, mouseout: true, pointerover: true, pointerout: true, mouseenter: true, mouseleave: true, pointerenter: true, pointerleave: true };

/** The browser brings these however long it takes. */
const CERTAIN = { __proto__: null, readystatechange: true, DOMContentLoaded: true, load: true, pageshow: true, error: true };

/** Failure and success of one thing: the log's is awaited, the other may come. */
const INSTEAD = { __proto__: null, load: 'error', error: 'load' };

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./log.js').Log} log
 * @param {import('./engine.js').ReplayEngine} engine
 * @param {import('./findings.js').Findings} findings
 * @param {import('./waiting.js').Waiting} waiting
 * @param {import('./targets.js').Targets} targets
 * @param {import('./ready-state.js').ReadyState} readyState
 */
export function createArrivals(realm, log, engine, findings, waiting, targets, readyState) {
  /** @type {{type: string, target: any, event: any}[]} */
  const held = [];

  /**
   * @param {any} event
   * @param {string} type
   * @param {any} target
   */
  function hold(event, type, target) {
    realm.stopImmediatePropagation(event);
    append(held, { type, target, event });
    waiting.changed();
  }

  /**
   * @param {string} type
   * @param {any} target
   */
  function take(type, target) {
    for (let i = 0; i < held.length; i += 1) {
      if (held[i].type === type && held[i].target === target) {
        return splice(held, i, 1)[0];
      }
    }
    return undefined;
  }

  /**
   * @param {string} type
   * @param {any} target
   */
  function has(type, target) {
    for (let i = 0; i < held.length; i += 1) {
      if (held[i].type === type && held[i].target === target) {
        return true;
      }
    }
    return false;
  }

  /** @param {any} event */
  function redispatch(event) {
    const type = realm.eventType(event);
    if (realm.eventPhase(event) === 0) {
      realm.dispatchEvent(realm.eventTarget(event), event);
    } else {
      // Chromium takes the window's own load events for being dispatched ever after.
      const { Event, PageTransitionEvent } = realm.global;
      const again = type === 'pageshow' ? new PageTransitionEvent(type, { persisted: event.persisted }) : new Event(type);
      realm.dispatchEvent(realm.global, again);
    }
  }

  return {
    redispatch,

    /**
     * A native event that no gesture announced.
     * @param {any} event
     * @param {string} type
     * @param {any} target
     */
    unannounced(event, type, target) {
      if (readyState.native(type, target)) {
        hold(event, type, target);
        return;
      }
      if (STREAMS[/** @type {'scroll'} */ (type)]) {
        realm.stopImmediatePropagation(event);
        return;
      }
      if (log.nextDom(type, (located) => targets.is(located, target)) || log.nextDom(INSTEAD[/** @type {'load'} */ (type)] ?? type, (located) => targets.is(located, target))) {
        hold(event, type, target);
        return;
      }
      findings.diverged(engine.nearest(), 'event-extra', 'nothing', type + ' on ' + targets.name(target));
      engine.begin(undefined, event);
    },

    /**
     * @param {import('./log.js').Logged} logged
     * @param {number} patience
     * @param {number} longPatience
     * @param {(run: () => void, domEvent?: any) => Promise<void>} runIn
     * @returns {Promise<string | undefined>} what came instead of the event, when it did not
     */
    async perform(logged, patience, longPatience, runIn) {
      const { type } = logged.what;
      const found = targets.find(logged.what.target);
      const target = found.target;
      if (!target) {
        findings.diverged(logged.id, 'target-missing', targets.describe(logged.what.target), 'nothing');
        return undefined;
      }
      if (STREAMS[/** @type {'scroll'} */ (type)]) {
        await runIn(() => stream(logged.what, target));
        return undefined;
      }
      const instead = INSTEAD[/** @type {'load'} */ (type)];
      const certain = CERTAIN[/** @type {'load'} */ (type)] === true;
      await waiting.until(() => has(type, target) || (instead !== undefined && has(instead, target)), certain ? longPatience : patience);
      const arrival = take(type, target) ?? (instead && take(instead, target));
      if (!arrival) {
        readyState.reached(logged.what);
        return 'nothing';
      }
      readyState.reached(logged.what);
      await runIn(() => redispatch(arrival.event), arrival.event);
      return arrival.type === type ? undefined : arrival.type;
    },

    /**
     * @param {import('./engine.js').Entry} entry
     * @param {string} type
     */
    ofEntry(entry, type) {
      for (let i = 0; i < entry.arrivals.length; i += 1) {
        if (entry.arrivals[i].type === type) {
          return entry.arrivals[i];
        }
      }
      return undefined;
    },

    /**
     * @param {import('./engine.js').Entry} entry
     * @param {string} type
     */
    takeOfEntry(entry, type) {
      for (let i = 0; i < entry.arrivals.length; i += 1) {
        if (entry.arrivals[i].type === type) {
          return splice(entry.arrivals, i, 1)[0];
        }
      }
      return undefined;
    },

    held: () => held,
  };

  /**
   * @param {any} what
   * @param {any} target
   */
  function stream(what, target) {
    if (what.type === 'scroll' && what.data?.scroll) {
      const [left, top] = what.data.scroll;
      const scrolled = target.nodeType === 1 ? target : realm.global;
      realm.scrollTo(scrolled, left, top);
    }
    realm.dispatchEvent(target, new realm.global.Event(what.type, { bubbles: target.nodeType === 9 && what.type === 'scroll' }));
  }
}

/** @typedef {ReturnType<typeof createArrivals>} Arrivals */
