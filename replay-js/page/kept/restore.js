/** Puts back what `keep.js` has told, from its lines. */
import { append, indexOf, parseJson, slice } from '../natives.js';
import { restoreCache } from './restore-caches.js';
import { restoreDatabase } from './restore-databases.js';

/**
 * @param {any} global
 * @param {string} lines
 * @returns {Promise<string[]>} what could not be put back, and why
 */
export async function restoreContents(global, lines) {
  /** @type {string[]} */
  const notes = [];
  const note = (/** @type {string} */ text) => append(notes, text);
  /** @type {any} the database or cache that what comes is of */
  let whole = null;
  /** @type {any[]} */
  let parts = [];

  async function restoreWhole() {
    if (whole?.database) {
      await restoreDatabase(global, whole.database, parts, note);
    } else if (whole?.cache) {
      await restoreCache(global, whole.cache, parts, note);
    }
    parts = [];
  }

  for (let rest = lines; rest !== ''; ) {
    const end = indexOf(rest, '\n');
    const line = parseJson(end < 0 ? rest : slice(rest, 0, end));
    rest = end < 0 ? '' : slice(rest, end + 1);
    if (line.database || line.cache) {
      await restoreWhole();
      whole = line;
    } else {
      append(parts, line.record ?? line.entry);
    }
  }
  await restoreWhole();
  return notes;
}
