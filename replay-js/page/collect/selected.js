// Which words a person has selected: each engine shows them in colours of its own.

/** @typedef {import('./dom.js').Dom} Dom */

/** The live property of a text node, or of a field, of which something is selected. */
export const SELECTED_TEXT = 'selected-text';
/** @type {[string, string][]} */
const SELECTED = [[SELECTED_TEXT, 'true']];
/** @type {[string, string][]} */
const NOT = [];

/**
 * @param {Dom} dom
 * @param {any[]} roots the document and its shadow trees
 * @returns {(text: any) => [string, string][]} the live properties of a text node
 */
export function selectedWords(dom, roots) {
  const selection = dom.selection(dom.document);
  /** @type {any[]} */
  const ranges = [];
  if (selection) {
    for (let at = 0; at < dom.selectedCount(selection); at++) keep(dom.selectedRange(selection, at));
    // Of what is selected within a shadow tree the document is told as much as that something is.
    const composed = roots.length > 1 ? composedRanges(dom, selection, roots) : [];
    for (let at = 0; at < composed.length; at++) keep(liveRange(dom, composed[at]));
  }
  /** @param {any} range */
  function keep(range) {
    if (!dom.rangeIsEmpty(range)) ranges[ranges.length] = range;
  }
  return text => {
    for (let at = 0; at < ranges.length; at++) if (dom.rangeTouches(ranges[at], text)) return SELECTED;
    return NOT;
  };
}

/** @param {Dom} dom @param {any} selection @param {any[]} roots @returns {any[]} */
function composedRanges(dom, selection, roots) {
  /** @type {any[]} */
  const shadowRoots = [];
  for (let at = 1; at < roots.length; at++) shadowRoots[at - 1] = roots[at];
  try {
    // Old engines have no such method, or one that takes something else.
    return dom.composedRanges(selection, { __proto__: null, shadowRoots }) ?? [];
  } catch {
    return [];
  }
}

/**
 * Nothing is selected where a range says a place that is not there: WebKit's goes on with the one that it had before it was emptied.
 * @param {Dom} dom
 * @param {any} range ends where it begins if that is in another tree
 */
function liveRange(dom, { startContainer, startOffset, endContainer, endOffset }) {
  const range = dom.createRange(dom.document);
  try {
    dom.rangeStart(range, startContainer, startOffset);
    dom.rangeEnd(range, endContainer, endOffset);
  } catch {
    // It stays empty, or as far as it came.
  }
  return range;
}
