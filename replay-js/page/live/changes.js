/**
 * Changes of the tree, and the resources that come with them: scripts, pictures, style sheets and frames that a script
 * inserts are requested without a call that could be seen.
 */
import { getterOf, uncurry } from '../natives.js';

const RESOURCES = 'script[src], img[src], link[rel~="stylesheet"], iframe[src], frame[src]';

/** Types of scripts that the browser does not fetch. */
const SCRIPT_TYPES = { __proto__: null, '': 1, module: 1, 'text/javascript': 1, 'application/javascript': 1 };

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('./activity.js').Activity} activity
 * @param {import('./engine.js').LiveEngine} engine
 * @param {{roots: any[]}} shadows
 */
export function watchChanges(realm, activity, engine, shadows) {
  const { global } = realm;
  const observe = uncurry(global.MutationObserver.prototype.observe);
  const queryBelow = uncurry(global.Element.prototype.querySelectorAll);
  const matches = uncurry(global.Element.prototype.matches);
  const isConnected = getterOf(global.Node.prototype, 'isConnected');
  const complete = getterOf(global.HTMLImageElement.prototype, 'complete');
  const options = { __proto__: null, subtree: true, childList: true, attributes: true, characterData: true };
  let shadowsSeen = 0;

  const observer = new global.MutationObserver((/** @type {any[]} */ records) => {
    const chain = engine.running();
    if (chain) {
      chain.changes = true;
    }
    if (!chain || (!chain.ticks && engine.counts(chain))) {
      activity.touch();
    }
    for (let i = 0; i < records.length; i += 1) {
      const { addedNodes, type, target, attributeName } = records[i];
      for (let k = 0; k < addedNodes.length; k += 1) {
        lookAt(addedNodes[k]);
      }
      if (type === 'attributes' && (attributeName === 'src' || attributeName === 'href')) {
        watchResource(target);
      }
    }
  });

  /** @param {any} node */
  function lookAt(node) {
    if (node.nodeType === 1) {
      watchResource(node);
      const below = queryBelow(node, RESOURCES);
      for (let i = 0; i < below.length; i += 1) {
        watchResource(below[i]);
      }
    }
  }

  /** @param {any} element */
  function watchResource(element) {
    if (!matches(element, RESOURCES)) {
      return;
    }
    const tag = realm.localName(element);
    const address = realm.getAttribute(element, tag === 'link' ? 'href' : 'src') ?? '';
    const lazy = realm.getAttribute(element, 'loading') === 'lazy';
    const type = tag === 'script' ? (realm.getAttribute(element, 'type') ?? '') : '';
    if (address === '' || lazy || !SCRIPT_TYPES[/** @type {'module'} */ (type)] || (tag === 'img' && complete(element))) {
      return;
    }
    const counts = () => isConnected(element) && !(tag === 'img' && complete(element));
    activity.begin(element, tag + ' ' + address, { counts });
  }

  /** @param {any} event */
  const arrived = (event) => activity.end(realm.eventTarget(event));
  realm.addEventListener(global.document, 'load', arrived, true);
  realm.addEventListener(global.document, 'error', arrived, true);
  observe(observer, global.document, options);

  return {
    /** Shadow roots are made one by one. */
    lookForShadows() {
      for (; shadowsSeen < shadows.roots.length; shadowsSeen += 1) {
        observe(observer, shadows.roots[shadowsSeen], options);
      }
    },
  };
}
