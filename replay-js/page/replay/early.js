/**
 * What comes before the page listens. The recording has it because the listener was there first: it was added by a script
 * or a callback that waits for its turn here, and the browser does not wait. It is kept, and given when it is due.
 *
 * Only what the browser brings by itself, and only what the log has before the next gesture: what a gesture brings
 * about comes with it. But animations rest as soon as they are seen, however long they were recorded to wait.
 */

const AT_WINDOW = ['pageshow', 'toggle', 'popstate', 'animationstart', 'animationend', 'transitionrun', 'transitionstart', 'transitionend'];
/** Of elements: these do not pass the window. */
const AT_DOCUMENT = ['load', 'error'];

/**
 * Called after the sources have put their listeners: what is heard is seen there first.
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('../watch.js').Watch} watch
 * @param {import('./arrivals.js').Arrivals} arrivals
 */
export function keepWhatComesEarly(realm, watch, arrivals) {
  /** @param {any} event */
  function came(event) {
    if (event.isTrusted) {
      arrivals.unheard(event, realm.eventType(event), realm.targetOf(event));
    }
  }
  for (let i = 0; i < AT_WINDOW.length; i += 1) {
    watch(realm.global, AT_WINDOW[i], came);
  }
  for (let i = 0; i < AT_DOCUMENT.length; i += 1) {
    watch(realm.document, AT_DOCUMENT[i], came);
  }
}
