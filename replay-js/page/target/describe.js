// How to find an element again in another browser: several independent locators, all bounded, all from markup.
// The names are those of `Target` in the trace crate (`trace/src/event.rs`).
import { charCode, numberText, slice, toLower } from '../natives.js';
import { nameOf } from './name.js';
import { shortText } from './nodes.js';
import { roleOf } from './role.js';

const TARGET_TEXT_LIMIT = 80;
const TARGET_ID_LIMIT = 200;
const TARGET_PATH_LIMIT = 2000;
const OWN_TEXT_NODES = 50;

/** In this order: a test id is there to be found by, a form field's name usually is. */
export const TEST_ATTRIBUTES = ['data-testid', 'data-test', 'data-cy', 'name'];

/** @typedef {{object?: string, id?: string, test_id?: string, role?: string, name?: string, path?: string, text?: string, field_name?: string, field_type?: string}} Target */

/**
 * @param {any} target an event's target: the window, the document or a node
 * @param {import('./nodes.js').Nodes} nodes
 * @returns {Target}
 */
export function describeTarget(target, nodes) {
  if (target === nodes.window) return { object: 'window' };
  if (target === nodes.document) return { object: 'document' };
  const element = elementFor(target, nodes);
  if (!element) return { object: 'other' };
  /** @type {Target} */
  const result = { object: 'node' };
  const id = nodes.attribute(element, 'id');
  if (id && id.length <= TARGET_ID_LIMIT) result.id = id;
  const testId = testIdOf(element, nodes);
  if (testId) result.test_id = testId;
  const role = roleOf(element, nodes);
  if (role) result.role = role;
  const name = nameOf(element, role, nodes);
  if (name) result.name = name;
  const path = pathOf(element, nodes);
  if (path.length <= TARGET_PATH_LIMIT) result.path = path;
  const text = ownTextOf(element, nodes);
  if (text) result.text = text;
  describeField(element, result, nodes);
  return result;
}

/**
 * The name and type of a form field, for rules that keep what is typed into it out of the trace.
 * @param {any} element @param {Target} result @param {import('./nodes.js').Nodes} nodes
 */
function describeField(element, result, nodes) {
  const tag = toLower(nodes.localName(element));
  if (tag !== 'input' && tag !== 'textarea' && tag !== 'select') return;
  const name = nodes.attribute(element, 'name');
  if (name && name.length <= TARGET_ID_LIMIT) result.field_name = name;
  const type = tag === 'input' && nodes.attribute(element, 'type');
  if (type) result.field_type = toLower(type);
}

/** @param {any} target @param {import('./nodes.js').Nodes} nodes */
function elementFor(target, nodes) {
  let type;
  try {
    type = nodes.nodeType(target);
  } catch {
    // Not a node: the accessor's brand check is the one test the page cannot forge.
    return null;
  }
  if (type === 1) return target;
  if (type === 3 || type === 4) return nodes.parentNode(target);
  return type === 11 && isShadowRoot(target, nodes) ? nodes.shadowHost(target) : null;
}

/** @param {any} element @param {import('./nodes.js').Nodes} nodes */
export function testIdOf(element, nodes) {
  for (let at = 0; at < TEST_ATTRIBUTES.length; at++) {
    const value = nodes.attribute(element, TEST_ATTRIBUTES[at]);
    if (value && value.length <= TARGET_ID_LIMIT) return `[${TEST_ATTRIBUTES[at]}=${quoteForSelector(value, nodes)}]`;
  }
  return undefined;
}

/**
 * A CSS string. `CSS.escape` is for identifiers, and the page may have replaced it.
 * @param {string} value @param {import('./nodes.js').Nodes} nodes
 */
export function quoteForSelector(value, nodes) {
  let result = '"';
  for (let at = 0; at < value.length; at++) {
    const code = charCode(value, at);
    if (code === 34 || code === 92) result += '\\' + value[at];
    else if (code < 32 || code === 127) result += '\\' + numberText(code, 16) + ' ';
    else result += value[at];
  }
  return result + '"';
}

/**
 * `html>body>div:2>my-card:1>#shadow>button:1`: each step counts among siblings of the same name, from 1; `html`, `head`
 * and `body` need no number.
 * @param {any} element @param {import('./nodes.js').Nodes} nodes
 */
export function pathOf(element, nodes) {
  let path = '';
  for (let at = element; at; ) {
    const tag = nodes.localName(at);
    let step = tag;
    if (tag !== 'html' && tag !== 'head' && tag !== 'body') {
      let number = 1;
      for (let other = nodes.previousElement(at); other; other = nodes.previousElement(other)) {
        if (nodes.localName(other) === tag) number++;
      }
      step += ':' + number;
    }
    path = path ? step + '>' + path : step;
    const parent = nodes.parentNode(at);
    if (!parent) break;
    const type = nodes.nodeType(parent);
    if (type === 1) {
      at = parent;
    } else if (type === 11 && isShadowRoot(parent, nodes)) {
      path = '#shadow>' + path;
      at = nodes.shadowHost(parent);
    } else {
      break;
    }
  }
  return path;
}

/** @param {any} fragment @param {import('./nodes.js').Nodes} nodes */
function isShadowRoot(fragment, nodes) {
  try {
    return !!nodes.shadowHost(fragment);
  } catch {
    return false;
  }
}

/** @param {any} element @param {import('./nodes.js').Nodes} nodes */
export function ownTextOf(element, nodes) {
  let text = '';
  let budget = OWN_TEXT_NODES;
  for (let child = nodes.firstChild(element); child && budget-- > 0; child = nodes.nextSibling(child)) {
    if (nodes.nodeType(child) === 3) text += slice(nodes.textOf(child), 0, 4 * TARGET_TEXT_LIMIT) + ' ';
  }
  return shortText(text, TARGET_TEXT_LIMIT);
}
