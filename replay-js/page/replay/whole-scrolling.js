/**
 * Firefox scrolls to an element by fractions of a pixel, says a whole one, and takes the next one some time later, when it is
 * told how far it has got. What is scrolled to a number stays there.
 */
import { max } from '../more-natives.js';
import { getterOf, uncurry } from '../natives.js';

/**
 * Puts all that an element was scrolled into view by where it says that it is.
 * @param {any} global
 * @returns {(element: any) => void}
 */
export function createWholeScrolling(global) {
  const Element = global.Element.prototype;
  const scrollTo = uncurry(Element.scrollTo);
  const scrollLeft = getterOf(Element, 'scrollLeft');
  const scrollTop = getterOf(Element, 'scrollTop');
  const parentNode = getterOf(global.Node.prototype, 'parentNode');
  return (element) => {
    for (let node = element; node; node = parentNode(node) ?? node.host) {
      const left = node.nodeType === 1 ? scrollLeft(node) : 0;
      const top = node.nodeType === 1 ? scrollTop(node) : 0;
      if (left > 0 || top > 0) {
        // To where it says that it is, nothing would move.
        scrollTo(node, { __proto__: null, left: max(left - 1, 0), top: max(top - 1, 0), behavior: 'instant' });
        scrollTo(node, { __proto__: null, left, top, behavior: 'instant' });
      }
    }
  };
}
