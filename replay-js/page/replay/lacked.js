/** What a browser does not have, of which something would have come that was recorded. */
import { indexOf, slice } from '../natives.js';

const BEHIND = { __proto__: null, idle: 'requestIdleCallback', fetch: 'fetch' };

/**
 * @param {any} global
 * @param {string} list that it is missing from
 * @param {string} name what is missing, such as `ResizeObserver` or `Document.startViewTransition`
 * @returns {string | undefined}
 */
export function lackedFor(global, list, name) {
  const path = BEHIND[/** @type {'idle'} */ (list)] ?? name;
  const isOfBrowser = path !== name || ((list === 'host' || list === 'promise') && path[0] >= 'A' && path[0] <= 'Z');
  if (!isOfBrowser) {
    return undefined;
  }
  const dot = indexOf(path, '.');
  const owner = dot < 0 ? path : slice(path, 0, dot);
  if (!(owner in global)) {
    return owner;
  }
  const member = dot < 0 ? '' : slice(path, dot + 1);
  const has = member === '' || member in global[owner] || member in (global[owner].prototype ?? {});
  return has ? undefined : path;
}
