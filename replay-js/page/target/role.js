// The ARIA role of an element from its markup alone. Engines disagree in what they compute (`computedRole` exists in few),
// and an engine that lacks an input type must still give the same answer, so only attributes are read.

import { toLower } from '../natives.js';
import { execPattern } from './nodes.js';

const INPUT_ROLES = {
  __proto__: null,
  button: 'button', submit: 'button', reset: 'button', image: 'button',
  checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox',
  text: 'textbox', email: 'textbox', tel: 'textbox', url: 'textbox', password: 'textbox',
};

/** Of what a person has to do with. */
const TAG_ROLES = {
  __proto__: null,
  button: 'button', details: 'group', dialog: 'dialog', fieldset: 'group', form: 'form',
  li: 'listitem', main: 'main', menu: 'list', nav: 'navigation', ol: 'list', option: 'option',
  table: 'table', td: 'cell', textarea: 'textbox', th: 'columnheader', tr: 'row', ul: 'list',
};

/**
 * @param {any} element
 * @param {import('./nodes.js').Nodes} nodes
 * @returns {string | undefined}
 */
export function roleOf(element, nodes) {
  const given = nodes.attribute(element, 'role');
  const first = given && execPattern(/[a-zA-Z-]+/, given);
  if (first) return toLower(first[0]);
  const tag = toLower(nodes.localName(element));
  if (tag === 'a' || tag === 'area') return nodes.attribute(element, 'href') === null ? undefined : 'link';
  if (tag === 'input') return inputRole(element, nodes);
  if (tag === 'img') return nodes.attribute(element, 'alt') === '' ? 'presentation' : 'img';
  if (tag === 'select') {
    const several = nodes.attribute(element, 'multiple') !== null || +(nodes.attribute(element, 'size') || 0) > 1;
    return several ? 'listbox' : 'combobox';
  }
  return execPattern(/^h[1-6]$/, tag) ? 'heading' : TAG_ROLES[/** @type {keyof typeof TAG_ROLES} */ (tag)] || undefined;
}

/** @param {any} element @param {import('./nodes.js').Nodes} nodes */
function inputRole(element, nodes) {
  const type = toLower(nodes.attribute(element, 'type') || 'text');
  const role = INPUT_ROLES[/** @type {keyof typeof INPUT_ROLES} */ (type)] || undefined;
  const suggests = nodes.attribute(element, 'list') !== null && (role === 'textbox' || role === 'searchbox');
  return suggests ? 'combobox' : role;
}
