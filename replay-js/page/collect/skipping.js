import { selectAll } from '../target/select.js';

/**
 * Whether what is drawn, and so the layout, may depend on which parts of the page the engine has seen to be near the viewport, by what its
 * style sheets say. Computed styles tell of it only after a first look.
 * @param {import('./dom.js').Dom} dom
 * @param {any[]} roots
 * @param {{skipping: string[], unreadable: boolean}} contents of the sheets
 * @param {boolean} isFirst
 */
export function maySkip(dom, roots, { skipping, unreadable }, isFirst) {
  // A sheet that cannot be read may use it.
  if ((unreadable && isFirst) || anyMatches(dom, roots, '[style*="content-visibility"]')) return true;
  for (let at = 0; at < skipping.length; at++) if (anyMatches(dom, roots, skipping[at])) return true;
  return false;
}

/**
 * Or may do so: what a shadow tree says of its host, and a scope of its root, cannot be asked.
 * @param {import('./dom.js').Dom} dom
 * @param {any[]} roots
 * @param {string} selector
 */
function anyMatches(dom, roots, selector) {
  if (dom.exec(/:host|:scope|&/, selector)) return true;
  try {
    for (let at = 0; at < roots.length; at++) if (selectAll(dom, roots[at], selector).length) return true;
    return false;
  } catch {
    return true;
  }
}
