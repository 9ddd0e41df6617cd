// A simple accessible name: what a person would call the element. Follows the order of the Accessible Name computation
// (https://www.w3.org/TR/accname-1.2/), but reads markup only: no styles, no layout, no engine's own computation, and no
// more nodes than a fixed number, because it runs in the recorded page for every gesture.
import { setOfWords, slice, toLower } from '../natives.js';
import { elementById, execPattern, nodesInList, shortText } from './nodes.js';

const NAME_LIMIT = 80;
const NAME_NODES = 200;

const NAMED_BY_CONTENT = setOfWords('button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row rowheader switch tab tooltip treeitem');
const NAMING_CHILD = { __proto__: null, fieldset: 'legend', table: 'caption', figure: 'figcaption', svg: 'title' };
const UNSPOKEN_TAGS = setOfWords('script style template noscript');

/**
 * @param {any} element
 * @param {string | undefined} role
 * @param {import('./nodes.js').Nodes} nodes
 * @returns {string}
 */
export function nameOf(element, role, nodes) {
  const labelled = nodes.attribute(element, 'aria-labelledby');
  if (labelled) {
    const name = textOfIds(element, labelled, nodes);
    if (name) return name;
  }
  const label = shortText(nodes.attribute(element, 'aria-label') || '', NAME_LIMIT);
  if (label) return label;
  const native = nativeName(element, nodes);
  if (native) return native;
  const isSummary = nodes.localName(element) === 'summary';
  if (isSummary || (role && role in NAMED_BY_CONTENT)) {
    const content = contentName([element], nodes);
    if (content) return content;
  }
  const title = nodes.attribute(element, 'title') || nodes.attribute(element, 'placeholder') || '';
  return shortText(title, NAME_LIMIT);
}

/** @param {any} element @param {string} ids @param {import('./nodes.js').Nodes} nodes */
function textOfIds(element, ids, nodes) {
  const root = nodes.rootOf(element);
  const found = [];
  const word = /[^\t\n\f\r ]+/g;
  for (let match = execPattern(word, ids); match; match = execPattern(word, ids)) {
    const named = elementById(nodes, root, match[0]);
    if (named) found[found.length] = named;
  }
  return contentName(found, nodes);
}

/** @param {any} element @param {import('./nodes.js').Nodes} nodes */
function nativeName(element, nodes) {
  const tag = nodes.localName(element);
  if (tag === 'img' || tag === 'area') return shortText(nodes.attribute(element, 'alt') || '', NAME_LIMIT);
  if (tag === 'input') {
    const type = toLower(nodes.attribute(element, 'type') || 'text');
    if (type === 'submit' || type === 'reset' || type === 'button') return shortText(nodes.attribute(element, 'value') || '', NAME_LIMIT);
    if (type === 'image') return shortText(nodes.attribute(element, 'alt') || '', NAME_LIMIT);
  }
  if (tag === 'input' || tag === 'select' || tag === 'textarea') {
    const getLabels = nodes.labelsOf[/** @type {'input'} */ (tag)];
    const labels = isHtmlControl(element, getLabels);
    return labels ? contentName(nodesInList(nodes, labels), nodes) : '';
  }
  if (tag in NAMING_CHILD) {
    const wanted = NAMING_CHILD[/** @type {'svg'} */ (tag)];
    for (let child = nodes.firstChild(element); child; child = nodes.nextSibling(child)) {
      if (nodes.nodeType(child) === 1 && nodes.localName(child) === wanted) return contentName([child], nodes);
    }
  }
  return '';
}

/**
 * An `input` of another namespace has no labels, and its accessor throws: that is the only way to ask.
 * @param {any} element @param {(element: any) => any} getLabels
 */
function isHtmlControl(element, getLabels) {
  try {
    return getLabels(element);
  } catch {
    return null;
  }
}

/**
 * Text below the nodes in tree order, with what stands for images and named parts; stops when enough was seen.
 * @param {any[]} roots @param {import('./nodes.js').Nodes} nodes
 */
function contentName(roots, nodes) {
  let text = '';
  let budget = NAME_NODES;
  /** @param {any} node @param {boolean} top */
  const visit = (node, top) => {
    if (--budget < 0 || text.length > 4 * NAME_LIMIT) return;
    const type = nodes.nodeType(node);
    if (type === 3) {
      text += slice(nodes.textOf(node), 0, 4 * NAME_LIMIT);
      return;
    }
    if (type !== 1) return;
    const tag = nodes.localName(node);
    if (tag in UNSPOKEN_TAGS) return;
    if (!top) {
      if (nodes.attribute(node, 'aria-hidden') === 'true' || nodes.attribute(node, 'hidden') !== null) return;
      const label = nodes.attribute(node, 'aria-label') || (tag === 'img' ? nodes.attribute(node, 'alt') : null);
      if (label) {
        text += ' ' + label + ' ';
        return;
      }
      // A form control inside its own label adds no name: its value changes while the page is used.
      if (tag === 'select' || tag === 'textarea') return;
    }
    const apart = !(tag in INLINE_TAGS);
    if (apart) text += ' ';
    for (let child = nodes.firstChild(node); child; child = nodes.nextSibling(child)) visit(child, false);
    if (apart) text += ' ';
  };
  for (let at = 0; at < roots.length; at++) {
    visit(roots[at], true);
    text += ' ';
  }
  return shortText(text, NAME_LIMIT);
}

const INLINE_TAGS = setOfWords('a abbr b code em font i kbd mark small span strong sub sup tspan u');
