// Which words a person has selected: each engine shows them in colours of its own.

/** @typedef {import('./dom.js').Dom} Dom */

/** A live property of a text node, always this one. @type {[string, string][]} */
const SELECTED = [['selected-text', 'true']];
/** @type {[string, string][]} */
const NOT = [];

/**
 * @param {Dom} dom
 * @returns {(text: any) => [string, string][]} the live properties of a text node
 */
export function selectedWords(dom) {
  const selection = dom.selection(dom.document);
  const count = selection ? dom.selectedCount(selection) : 0;
  /** @type {any[]} */
  const ranges = [];
  for (let at = 0; at < count; at++) {
    const range = dom.selectedRange(selection, at);
    if (!dom.rangeIsEmpty(range)) ranges[ranges.length] = range;
  }
  return text => {
    for (let at = 0; at < ranges.length; at++) if (dom.rangeTouches(ranges[at], text)) return SELECTED;
    return NOT;
  };
}
