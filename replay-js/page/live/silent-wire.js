/** Where a recording's wire would be, for a page of which no log is kept: what is written for it is let go of. */
import { append, splice } from '../natives.js';

const DROP_MS = 100;

/**
 * @param {import('../natives.js').Realm} realm
 * @param {string} endpoint
 */
export function createSilentWire(realm, endpoint) {
  /** @type {import('../record/engine.js').OpenEvent[]} */
  const waiting = [];

  function drop() {
    const events = splice(waiting, 0, waiting.length);
    for (let i = 0; i < events.length; i += 1) {
      events[i].written = true;
      events[i].waiting = false;
      events[i].local = null;
    }
  }

  return {
    url: realm.global.location.origin + endpoint + '/log',
    /** @param {any} _line */
    send(_line) {},
    /** @param {import('../record/engine.js').OpenEvent} event */
    queue(event) {
      if (waiting.length === 0) {
        realm.setTimeout(realm.global, drop, DROP_MS);
      }
      append(waiting, event);
    },
    hurry() {},
    /** @param {boolean} _leaving */
    flushAtEnd(_leaving) {},
  };
}
