/** What can be pointed at: where an element is shown, and whether something lies over it. */
import { getterOf, uncurry } from '../natives.js';

/** @param {import('../replay/realm.js').ReplayRealm} realm */
export function createView(realm) {
  const { global } = realm;
  const computed = global.getComputedStyle;
  const documentHit = uncurry(global.Document.prototype.elementFromPoint);
  const shadowHit = global.ShadowRoot.prototype.elementFromPoint ? uncurry(global.ShadowRoot.prototype.elementFromPoint) : null;
  const openShadow = getterOf(global.Element.prototype, 'shadowRoot');
  const parent = getterOf(global.Node.prototype, 'parentNode');
  const contains = uncurry(global.Node.prototype.contains);

  /**
   * The innermost element at a point of the viewport.
   * @param {any} document
   * @param {number} x
   * @param {number} y
   */
  function hitAt(document, x, y) {
    let hit = documentHit(document, x, y);
    for (let root = hit && openShadow(hit); root && shadowHit; root = openShadow(hit)) {
      const inner = shadowHit(root, x, y);
      if (!inner || inner === hit) {
        break;
      }
      hit = inner;
    }
    return hit;
  }

  /**
   * Whether it contains an element, in shadow roots, too.
   * @param {any} around
   * @param {any} element
   */
  function holds(around, element) {
    for (let at = element; at; at = parent(at) ?? at.host) {
      if (at === around) {
        return true;
      }
    }
    return false;
  }

  return {
    holds,
    /** @param {any} element */
    style: (element) => computed(element),
    /**
     * Whether a hand could find it: it has a size and is not hidden.
     * @param {any} element
     */
    isShown(element) {
      const box = realm.boundingBox(element);
      if (box.width < 1 || box.height < 1) {
        return false;
      }
      const style = computed(element);
      return style.visibility === 'visible' && style.pointerEvents !== 'none' && style.opacity !== '0';
    },
    /**
     * What lies over an element at a point of its own viewport; null when the point is its own.
     * @param {any} element
     * @param {number} x
     * @param {number} y
     * @returns {{by: any} | null}
     */
    coverOf(element, x, y) {
      const hit = hitAt(element.ownerDocument, x, y);
      if (holds(element, hit)) {
        return null;
      }
      const labels = element.labels;
      for (let i = 0; hit && labels && i < labels.length; i += 1) {
        if (contains(labels[i], hit)) {
          return null;
        }
      }
      return { by: hit };
    },
  };
}

/** @typedef {ReturnType<typeof createView>} View */
