/** Where a recording's wire would be, for a page of which no log is kept: what is written for it is let go of. */
import { append, splice } from '../natives.js';

const DROP_MS = 100;

/** @param {import('../natives.js').Realm} realm */
export function createSilentWire(realm) {
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
