/** What a script element is known by, and when the browser was free to run it. */

/** How the key of a script begins that is in a frame without a network; then comes where that stands. */
export const OF_A_FRAME = 'frame ';

/**
 * @param {any} element
 * @param {import('../natives.js').Realm} realm of the script
 * @param {import('../natives.js').Realm} load the window whose load it belongs to: in a frame, nobody's parser is waited for
 */
export function nameScript(element, realm, load) {
  const { key, order } = nameInDocument(element, realm);
  return realm === load ? { key, order } : { key: OF_A_FRAME + /** @type {any} */ (realm).above() + ' ' + key, order: 'arrival' };
}

/**
 * @param {any} element
 * @param {import('../natives.js').Realm} realm
 */
function nameInDocument(element, realm) {
  if (element.src) {
    return { key: '' + element.src, order: orderOf(element, realm) };
  }
  const scripts = realm.byTagName(realm.document, 'script');
  let index = 0;
  for (let i = 0; i < scripts.length && scripts[i] !== element; i += 1) {
    index += realm.hasAttribute(scripts[i], 'src') ? 0 : 1;
  }
  return { key: '#' + index, order: element.type === 'module' ? 'module' : 'parser' };
}

/**
 * @param {any} element
 * @param {import('../natives.js').Realm} realm
 */
function orderOf(element, realm) {
  if (element.type === 'module') {
    return 'module';
  }
  if (element.async) {
    return 'arrival';
  }
  if (element.defer) {
    return 'defer';
  }
  return realm.readyState(realm.document) === 'loading' ? 'parser' : 'arrival';
}
