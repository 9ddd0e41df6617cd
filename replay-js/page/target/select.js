import { nodesInList } from './nodes.js';

/** @typedef {import('./more-nodes.js').MoreNodes} Nodes */

/** @param {Nodes} nodes @param {any} root @param {string} selector @returns {any[]} */
export function selectAll(nodes, root, selector) {
  const query = nodes.nodeType(root) === 9 ? nodes.queryDocument : nodes.queryFragment;
  return nodesInList(nodes, query(root, selector));
}

/** @param {Nodes} nodes @param {any} node an element or a shadow root @param {string} selector @returns {any[]} what is in the same tree below it */
export function selectBelow(nodes, node, selector) {
  return nodes.nodeType(node) === 1 ? nodesInList(nodes, nodes.queryElement(node, selector)) : selectAll(nodes, node, selector);
}
