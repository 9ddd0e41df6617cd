/**
 * Older WebKits print functions in their own way: `function `, the name, a blank, and then as it was written from the parameters on. A callback
 * is known by the hash of its text, so of the ways in which it may have been written that one counts that the log has.
 */
import { hashText } from '../hash.js';
import { append, functionText, indexOf, slice } from '../natives.js';

/** What such an engine prints, and what may have stood there. */
const BEGINNINGS = [
  ['function (', 'function('],
  ['async function (', 'async function('],
  ['function* (', 'function*('],
  ['async function* (', 'async function*('],
  ['async (', 'async('],
  // Methods, whose name is printed.
  ['function ', ''],
  ['async function ', 'async '],
];

/**
 * @param {(callback: any) => string} hashCallback
 * @param {(hash: string) => boolean} isKnown
 * @returns {(callback: any) => string}
 */
export function withOlderSpelling(hashCallback, isKnown) {
  if (indexOf(functionText({ spelled() {} }.spelled), 'function') !== 0) {
    return hashCallback;
  }
  return (callback) => {
    const hash = hashCallback(callback);
    if (typeof callback !== 'function' || isKnown(hash)) {
      return hash;
    }
    const written = waysToWrite(functionText(callback));
    for (let i = 0; i < written.length; i += 1) {
      const other = hashText(written[i]);
      if (isKnown(other)) {
        return other;
      }
    }
    return hash;
  };
}

/** @param {string} text */
function waysToWrite(text) {
  /** @type {string[]} */
  const ways = [];
  for (let i = 0; i < BEGINNINGS.length; i += 1) {
    const printed = BEGINNINGS[i][0];
    if (indexOf(text, printed) === 0) {
      append(ways, BEGINNINGS[i][1] + slice(text, printed.length));
    }
  }
  return ways;
}
