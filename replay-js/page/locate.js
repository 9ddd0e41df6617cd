/** Locators of a node, as the engines write them into the log. */
import { captureNodes } from './target/nodes.js';
import { describeTarget } from './target/describe.js';

/** Steps from a frame element into its document, in a path. */
export const INTO_FRAME = '>#frame';

/**
 * @param {import('./natives.js').Realm} realm
 * @param {() => string} above path of the frame this is in, from the document whose load it belongs to; empty for that itself
 * @returns {(target: any) => any}
 */
export function createLocator(realm, above) {
  const nodes = captureNodes(realm.global);
  return (target) => {
    const located = describeTarget(target, nodes);
    const frame = above();
    if (frame !== '') {
      located.path = frame + INTO_FRAME + (located.path === undefined ? '' : '>' + located.path);
    }
    return located;
  };
}
