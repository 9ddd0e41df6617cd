/** The first line a document sends: `Load` of the trace crate, as far as the page knows it. */
import { objectKeys } from './natives.js';

/**
 * @param {import('./natives.js').Realm} realm
 * @param {any} config
 * @param {{parent: number | undefined, window: number, path: number[]}} place
 */
export function hello(realm, config, place) {
  const { global } = realm;
  return {
    load: config.load,
    url: global.location.href,
    path: place.path,
    parent: place.parent,
    window: place.window,
    // Which exchange brought the document, and its number within the window, the proxy knows.
    sequence: 0,
    at: realm.epoch(),
    user_agent: global.navigator.userAgent,
    languages: global.navigator.languages,
    // To ask for it takes a browser that has just been started ten milliseconds.
    time_zone: config.zone ? new global.Intl.DateTimeFormat().resolvedOptions().timeZone : '',
    viewport: [global.innerWidth, global.innerHeight],
    // By these the proxy tells windows apart.
    history: global.history.length,
    screen: [global.screen.width, global.screen.height],
    referrer: global.document.referrer,
    opener: !!global.opener,
    storage: config.storage === true ? storageOf(global) : undefined,
  };
}

/** @param {any} global */
function storageOf(global) {
  const local = areaOf(() => global.localStorage);
  const session = areaOf(() => global.sessionStorage);
  let cookies;
  try {
    cookies = global.document.cookie || undefined;
  } catch {
    // A sandboxed document has none.
  }
  return local || session || cookies ? { local, session, cookies } : undefined;
}

/**
 * @param {() => any} open
 * @returns {any} undefined when it is empty or the browser denies access
 */
function areaOf(open) {
  let area;
  try {
    area = open();
  } catch {
    // Sandboxed, or switched off by the person: the page cannot read it either.
    return undefined;
  }
  const keys = area ? objectKeys(area) : [];
  /** @type {any} */
  const entries = { __proto__: null };
  for (let i = 0; i < keys.length; i += 1) {
    entries[keys[i]] = area.getItem(keys[i]);
  }
  return keys.length > 0 ? entries : undefined;
}
