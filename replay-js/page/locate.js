/** Locators of a node, across the frames that share this script. */

/**
 * @param {import('./natives.js').Realm} realm
 * @returns {(target: any) => any}
 */
export function createLocator(realm) {
  return (target) => ({ object: 'node', id: realm.getAttribute(target, 'id') || undefined });
}
