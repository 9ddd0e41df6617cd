// Place in the order of painting, as far as z-index and stacking contexts tell it.
//
// A full painting order numbers every node, so one inserted node would renumber all that follow and make every increment
// whole. Here nodes share a *layer*: the chain of z-indices from the page to the node's stacking context, where `z-index:
// auto` or 0 on a positioned or context-making element is its own level above plain content. Layers are numbered from the
// bottom; within one the later in the document is on top. The price: two contexts of equal z-index share their inner layers,
// as if they were one. Dialogs, popovers and full-screen elements (the top layer) are above everything.

/** @typedef {import('./dom.js').Dom} Dom */

/** A layer's chain; `[]` is the page's plain content. @typedef {{key: string, chain: number[], rank: number}} Layer */

const TOP_LAYER_Z = 2147483648;
const GROUND_Z = -2147483649;

/** @param {Dom} dom */
export function createLayers(dom) {
  const layers = dom.makeMap();
  const root = layerOf([]);

  /** @param {number[]} chain @returns {Layer} */
  function layerOf(chain) {
    const key = dom.join(chain, ',');
    let layer = dom.mapGet(layers, key);
    if (!layer) {
      layer = { key, chain, rank: 0 };
      dom.mapSet(layers, key, layer);
    }
    return layer;
  }

  return {
    root,
    /** @param {Layer} context the layer of the stacking context around @param {number} z @returns {Layer} */
    above(context, z) {
      const chain = [];
      for (let at = 0; at < context.chain.length; at++) chain[at] = context.chain[at];
      chain[chain.length] = z;
      return layerOf(chain);
    },
    /** Where a context's own background is: below even its negative levels. @param {Layer} context @returns {Layer} */
    ground(context) {
      return this.above(context, GROUND_Z);
    },
    /** @returns {Layer} */
    top() {
      return layerOf([TOP_LAYER_Z]);
    },
    /** Numbers the layers met so far, from the bottom. */
    rank() {
      /** @type {Layer[]} */
      const all = [];
      dom.mapEach(layers, (/** @type {Layer} */ layer) => {
        all[all.length] = layer;
      });
      dom.sort(all, compareLayers);
      for (let at = 0; at < all.length; at++) {
        // With nothing between them a context's background is as high as its content: it may lie over what comes before it.
        const isOnItsGround = at > 0 && all[at - 1].key === all[at].key + ',' + GROUND_Z;
        all[at].rank = isOnItsGround ? all[at - 1].rank : at;
      }
    },
  };
}

/** @param {Layer} one @param {Layer} other */
function compareLayers(one, other) {
  for (let at = 0; ; at++) {
    const a = at < one.chain.length ? one.chain[at] : undefined;
    const b = at < other.chain.length ? other.chain[at] : undefined;
    if (a === undefined && b === undefined) return 0;
    // A context's own content lies above its negative levels and below all others.
    if (a === undefined) return /** @type {number} */ (b) < 0 ? 1 : -1;
    if (b === undefined) return a < 0 ? -1 : 1;
    if (a !== b) return a - b;
  }
}
