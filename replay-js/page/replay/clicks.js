/**
 * How many clicks in a row a press is taken for. Drivers outside Chromium count them by the clock, and cannot be told.
 */
import { defineProperty } from '../natives.js';

/** @param {import('./realm.js').ReplayRealm} realm */
export function createClicks(realm) {
  /** What the browser took this gesture's release for, once it is seen. */
  let counted = Infinity;

  /** Of its own count, whether it is seen before or after it is made the log's. @param {any} event */
  function count(event) {
    counted = event.isTrusted && event.detail < counted ? event.detail : counted;
  }
  realm.addEventListener(realm.global, 'mouseup', count, true);

  return {
    /** Another gesture comes. */
    begin() {
      counted = Infinity;
    },

    /**
     * The page sees the log's count.
     * @param {import('./log.js').Logged} logged
     * @param {any} event
     */
    countAsLogged({ what }, event) {
      const clicks = what.data?.clicks;
      if (what.type === 'mouseup') {
        count(event);
      }
      if (event.detail > 0 && clicks > 0 && event.detail !== clicks) {
        defineProperty(event, 'detail', { value: clicks, configurable: true });
      }
    },

    /**
     * A double click that came too late after the first one for a browser that counts by the clock.
     * @param {import('./log.js').Logged} logged
     */
    isUncounted({ what }) {
      return what.type === 'dblclick' && counted < 2;
    },
  };
}

/** @typedef {ReturnType<typeof createClicks>} Clicks */
