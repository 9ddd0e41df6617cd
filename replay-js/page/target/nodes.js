// Reading the tree without trusting the page. Whoever runs after us may replace any accessor, so each is taken from its
// prototype once, before the page's first script, and called through a bound `call` that no later patch can reach.

import { charCode, getterOf, slice, uncurry } from '../natives.js';

/** @typedef {ReturnType<typeof captureNodes>} Nodes */

/** `execPattern(pattern, text)`: the one way to match that no patch of `RegExp.prototype` or `String.prototype` reaches. */
export const execPattern = uncurry(RegExp.prototype.exec);

/**
 * What is needed to describe an element; small, because the recorder carries it. What else is needed to find one: `more-nodes.js`.
 * @param {any} global
 */
export function captureNodes(global) {
  /** @param {string} owner @param {string} name */
  const method = (owner, name) => uncurry(global[owner].prototype[name]);
  /** @param {string} owner @param {string} name */
  const getter = (owner, name) => getterOf(global[owner].prototype, name);
  return {
    window: global,
    document: global.document,
    nodeType: getter('Node', 'nodeType'),
    parentNode: getter('Node', 'parentNode'),
    firstChild: getter('Node', 'firstChild'),
    nextSibling: getter('Node', 'nextSibling'),
    rootOf: method('Node', 'getRootNode'),
    textOf: getter('CharacterData', 'data'),
    localName: getter('Element', 'localName'),
    attribute: method('Element', 'getAttribute'),
    previousElement: getter('Element', 'previousElementSibling'),
    shadowHost: getter('ShadowRoot', 'host'),
    labelsOf: {
      input: getter('HTMLInputElement', 'labels'),
      select: getter('HTMLSelectElement', 'labels'),
      textarea: getter('HTMLTextAreaElement', 'labels'),
    },
    listLength: getter('NodeList', 'length'),
    documentById: method('Document', 'getElementById'),
    fragmentById: method('DocumentFragment', 'getElementById'),
  };
}

/**
 * The nodes of a static list as an array. `Array.from` and iteration would go through what the page may have patched.
 * @param {Nodes} nodes @param {any} list
 */
export function nodesInList(nodes, list) {
  const length = nodes.listLength(list);
  const result = [];
  for (let at = 0; at < length; at++) result[at] = list[at];
  return result;
}

/** @param {Nodes} nodes @param {any} root @param {string} id */
export function elementById(nodes, root, id) {
  return nodes.nodeType(root) === 9 ? nodes.documentById(root, id) : nodes.nodeType(root) === 11 ? nodes.fragmentById(root, id) : null;
}

/**
 * White space collapsed and trimmed, at most `limit` UTF-16 units and never half a surrogate pair.
 * @param {string} text @param {number} limit
 */
export function shortText(text, limit) {
  let result = '';
  let gap = false;
  for (let at = 0; at < text.length && result.length < limit; at++) {
    const code = charCode(text, at);
    if (code === 32 || (code >= 9 && code <= 13) || code === 0xa0) {
      gap = result !== '';
    } else {
      if (gap) result += ' ';
      gap = false;
      result += text[at];
    }
  }
  const last = result.length ? charCode(result, result.length - 1) : 0;
  result = slice(result, 0, limit);
  return last >= 0xd800 && last < 0xdc00 ? slice(result, 0, result.length - 1) : result;
}
