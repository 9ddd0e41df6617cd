// What has the focus: engines bring it into view each in its own way, and draw a ring around it.

/** @typedef {import('./dom.js').Dom} Dom */

/** The live property of the element that takes what is typed. */
export const FOCUSED = 'focused';

/** @param {Dom} dom @returns {any} the element, within shadow trees too; null when nothing has the focus */
export function focusedElement(dom) {
  let found = dom.activeElement(dom.document);
  if (!found || found === dom.body(dom.document) || found === dom.rootElement(dom.document)) return null;
  for (;;) {
    const shadow = dom.openShadow(found);
    const inner = shadow && dom.shadowActiveElement(shadow);
    if (!inner) return found;
    found = inner;
  }
}
