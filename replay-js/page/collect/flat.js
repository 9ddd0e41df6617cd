// Who has a place on the page at all. Children of a shadow host appear only through a slot, a slot's own children only when
// nothing was put into it, and some elements never show their children. Engines compute styles for such nodes anyway, each
// in its own way and not always from the present state; they are not asked.
import { HTML_NAMESPACE } from './namespace.js';

/** Elements with no box of their own in some engines and one in others. */
export const BOXLESS = { __proto__: null, col: 1, colgroup: 1, br: 1, wbr: 1, area: 1 };
/** SVG that is drawn only where something refers to it. */
export const DEFINITIONS = { __proto__: null, defs: 1, symbol: 1, clippath: 1, mask: 1, marker: 1, pattern: 1, lineargradient: 1, radialgradient: 1, filter: 1, title: 1, desc: 1, metadata: 1 };

/** @typedef {import('./dom.js').Dom} Dom */
/** @typedef {import('./survey.js').Rec} Rec */

const CHILDLESS = { __proto__: null, textarea: 1, input: 1, img: 1, video: 1, audio: 1, canvas: 1, iframe: 1, embed: 1, meter: 1, progress: 1, option: 1 };
const LISTED = { __proto__: null, option: 1, optgroup: 1, hr: 1 };

/**
 * @param {Dom} dom @param {Rec} parent @param {any} slotted Map whose keys are the nodes that stand in slots
 * @returns {(kid: Rec) => boolean} whether a child has a place; asked once for each, in order
 */
export function placesFor(dom, parent, slotted) {
  const { tag, node, kids } = parent;
  if (tag === '#shadow' || dom.namespace(node) !== HTML_NAMESPACE) return hasPlace;
  if (kids.length && kids[0].tag === '#shadow') return kid => kid.tag === '#shadow' || dom.mapHas(slotted, kid.node);
  if (tag in CHILDLESS) return hasNoPlace;
  if (tag === 'slot') return dom.assignedNodes(node).length ? hasNoPlace : hasPlace;
  if (tag === 'select') {
    const dropsDown = dom.attribute(node, 'multiple') === null && +(dom.attribute(node, 'size') || 0) <= 1;
    return dropsDown ? hasNoPlace : kid => kid.tag in LISTED;
  }
  if (tag === 'details' && dom.attribute(node, 'open') === null) {
    let summaries = 0;
    return kid => kid.tag === 'summary' && ++summaries === 1;
  }
  return hasPlace;
}

function hasPlace() {
  return true;
}

function hasNoPlace() {
  return false;
}
