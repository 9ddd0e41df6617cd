import { nodesInList } from './nodes.js';

/** @typedef {import('./nodes.js').Nodes} Nodes */

/** @param {Nodes} nodes @param {any} root @param {string} selector @returns {any[]} */
export function selectAll(nodes, root, selector) {
  const query = nodes.nodeType(root) === 9 ? nodes.queryDocument : nodes.queryFragment;
  return nodesInList(nodes, query(root, selector));
}
