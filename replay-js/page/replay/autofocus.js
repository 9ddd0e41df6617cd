/**
 * Fields that ask for the focus by an attribute and come into a page that is there already. WebKit gives it to them with the next frame,
 * each time, and others once in a page: before the log goes on it is known whether this browser does.
 */
import { newWeakMap } from '../natives.js';

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./waiting.js').Waiting} waiting
 * @param {boolean} own this is the browser that the log was recorded in, which did what the log says
 */
export function createAutofocus(realm, waiting, own) {
  const known = newWeakMap();
  let wasLoaded = false;

  function hasNew() {
    const fields = realm.queryAutofocus();
    let isNew = false;
    for (let i = 0; i < fields.length; i += 1) {
      isNew ||= !known.has(fields[i]);
      known.set(fields[i], true);
    }
    return isNew;
  }

  return {
    /** After each event of the log: what has come with the document is awaited by who looks at it first. */
    async given() {
      const isNew = !own && hasNew();
      if (isNew && wasLoaded) {
        await waiting.nextFrame();
      }
      wasLoaded = realm.document.readyState === 'complete';
    },
  };
}

/** @typedef {ReturnType<typeof createAutofocus>} Autofocus */
