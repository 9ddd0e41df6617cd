// What is written where: numbers that a page may just have measured, and letters that are shown otherwise.
import { HTML_NAMESPACE } from './namespace.js';

/** The live property of a text that is shown in other letters than it is written in. */
export const SHOWN_TEXT = 'shown-text';

/** The live property of a text, or of a field, with numbers that were written when the page had measured itself. */
export const MEASURED_TEXT = 'measured-text';

/** Attributes and live properties by which an element tells of a number. */
const READ_OUT = { __proto__: null, value: 1, title: 1, 'aria-valuenow': 1, 'aria-valuetext': 1, 'aria-label': 1 };

/**
 * Which letters `text-transform` makes of others is each engine's own knowledge of languages. Of a text that shares its element with
 * something else nothing says which of the letters shown are its own.
 * @param {import('./dom.js').Dom} dom
 * @param {any} text the node
 * @returns {string}
 */
export function shownText(dom, text) {
  const parent = dom.parentNode(text);
  if (!parent || dom.nodeType(parent) !== 1 || dom.namespace(parent) !== HTML_NAMESPACE) return '';
  if (dom.firstChild(parent) !== text || dom.nextSibling(text)) return '';
  return dom.innerText(parent);
}

/** @param {[string, string][]} pairs */
export function readOut(pairs) {
  let text = '';
  for (let at = 0; at < pairs.length; at++) if (pairs[at][0] in READ_OUT) text += pairs[at][1] + '\n';
  return text;
}

/** @param {string} text */
export function hasDigit(text) {
  for (let at = 0; at < text.length; at++) if (text[at] >= '0' && text[at] <= '9') return true;
  return false;
}
