/** Style sheets that are ours: no rules of the page's. */
import { newWeakMap } from './natives.js';

const own = newWeakMap();

/** @param {any} sheet */
export function isOwnSheet(sheet) {
  return own.has(sheet);
}

/** @param {any} sheet */
export function keepOwnSheet(sheet) {
  own.set(sheet, true);
  return sheet;
}
