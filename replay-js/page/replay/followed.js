/**
 * Whose doing a step within the document is: that of a link which the person followed is the browser's to make, or not to
 * make, and then that is what differs.
 */

const WITHIN = { __proto__: null, popstate: true, hashchange: true };
const LETS_FOLLOW = { __proto__: null, pointerdown: true, pointerup: true, mousedown: true, mouseup: true, keydown: true, keyup: true };

/**
 * Whether the last thing pressed before a step is a link that leads where it led.
 * @param {import('./log.js').Log} log
 * @param {(target: any) => any} find the element of a logged target
 * @param {import('./log.js').Logged} step
 */
export function isOfLink(log, find, step) {
  const { url } = step.what.data;
  for (let i = log.ordered.length - 1; i >= 0; i -= 1) {
    const { id, what } = log.ordered[i];
    if (id >= step.id) {
      continue;
    }
    if (WITHIN[/** @type {'popstate'} */ (what.type)] && what.data?.url !== url) {
      // A step since then: this one is another.
      return false;
    }
    if (what.gesture && LETS_FOLLOW[/** @type {'keydown'} */ (what.type)]) {
      return leadsTo(find(what.target), url);
    }
  }
  return false;
}

/**
 * @param {any} element
 * @param {string} url
 */
function leadsTo(element, url) {
  for (let node = element; node; node = node.parentNode ?? node.host) {
    if (node.localName === 'a' || node.localName === 'area') {
      return node.href === url;
    }
  }
  return false;
}
