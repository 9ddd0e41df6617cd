import { selectAll } from './select.js';

/**
 * The document and every shadow root in it, hosts before what they hold.
 * @param {import('./more-nodes.js').MoreNodes} nodes @param {any} document @param {(host: any) => any} shadowOf
 */
export function rootsOf(nodes, document, shadowOf) {
  const roots = [document];
  for (let at = 0; at < roots.length; at++) {
    const elements = selectAll(nodes, roots[at], '*');
    for (let index = 0; index < elements.length; index++) {
      const shadow = shadowOf(elements[index]);
      if (shadow) roots[roots.length] = shadow;
    }
  }
  return roots;
}
