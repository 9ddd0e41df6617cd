/** What was in `localStorage`, `sessionStorage` and the cookies when the session began is there again before the page's first script. */
import { indexOf, objectKeys, slice } from '../natives.js';

/**
 * @param {any} global
 * @param {any} storage
 */
export function restoreStorage(global, storage) {
  fill(() => global.localStorage, storage?.local);
  fill(() => global.sessionStorage, storage?.session);
  for (let rest = storage?.cookies ?? ''; rest !== ''; ) {
    const end = indexOf(rest, '; ');
    global.document.cookie = (end < 0 ? rest : slice(rest, 0, end)) + '; path=/';
    rest = end < 0 ? '' : slice(rest, end + 2);
  }
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
