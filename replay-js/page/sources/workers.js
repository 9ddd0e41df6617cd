/**
 * Workers that a page makes of what it has written itself: their scripts never pass the proxy, so they begin with a call
 * for ours. It stands in one line with their first, so that the lines of their errors stay what they are.
 */
import { apply, forWords, newMap } from '../natives.js';
import { onConstruct } from './constructed.js';

/** What the page has given an address to, by that. For all windows of a document's. */
const objects = newMap();
/** Addresses of ours instead of those, for workers that others may join. */
const joined = newMap();
let made = 0;

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../record/engine.js').Engine} engine
 * @param {import('../patch.js').Patcher} patch
 */
export function installWorkers({ global, URL, nextTurn }, engine, patch) {
  const { Blob } = global;
  const { createObjectURL, revokeObjectURL } = URL;
  forWords(['URL createObjectURL revokeObjectURL'], (_owner, name) =>
    patch.method(URL, name, (original) => ({
      url(/** @type {any} */ object) {
        const url = apply(original, this, arguments);
        url ? objects.set(url, object) : objects.delete(object);
        return url;
      },
    }).url));
  onConstruct(['new Worker SharedWorker'], patch, (name, given) => {
    const own = given[0];
    const object = objects.get(own);
    if (object) {
      let url = name !== 'Worker' && joined.get(own);
      if (!url) {
        made += 1;
        const ours = '"' + engine.address + '?' + made + '"';
        const call = given[1]?.type === 'module' ? 'import' + ours + ';' : 'try{importScripts(' + ours + ')}catch{}';
        url = apply(createObjectURL, URL, [new Blob([call, object], object)]);
        // The browser has it by then; what it keeps for an address it keeps as long as the page is there.
        name === 'Worker' ? nextTurn(() => apply(revokeObjectURL, URL, [url])) : joined.set(own, url);
      }
      given[0] = url;
    }
  });
}
