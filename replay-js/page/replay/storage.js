/** What was in `localStorage` and `sessionStorage` when the session began is there again before the page's first script. */
import { objectKeys } from '../natives.js';

/**
 * @param {any} global
 * @param {any} storage
 */
export function restoreStorage(global, storage) {
  fill(() => global.localStorage, storage?.local);
  fill(() => global.sessionStorage, storage?.session);
}

/**
 * @param {() => any} open
 * @param {any} entries
 */
function fill(open, entries) {
  const keys = entries ? objectKeys(entries) : [];
  if (keys.length === 0) {
    return;
  }
  const area = open();
  for (let i = 0; i < keys.length; i += 1) {
    area.setItem(keys[i], entries[keys[i]]);
  }
}
