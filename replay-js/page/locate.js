/** Locators of a node, as the engines write them into the log. */
import { captureNodes } from './target/nodes.js';
import { describeTarget } from './target/describe.js';

/**
 * @param {import('./natives.js').Realm} realm
 * @returns {(target: any) => any}
 */
export function createLocator(realm) {
  const nodes = captureNodes(realm.global);
  return (target) => describeTarget(target, nodes);
}
