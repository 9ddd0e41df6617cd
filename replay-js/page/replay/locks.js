/**
 * Chromium asks whether a window may have locks at all as it is first asked for one, and what is asked for once it knows overtakes
 * what waits for that: of three requests within three milliseconds the third had the lock before the second, in one replay of
 * eight. So it knows before the page begins.
 * @param {import('../natives.js').Realm} realm whose functions nobody has replaced yet
 */
export function prepareLocks({ global, then }) {
  const locks = global.navigator.locks;
  if (locks) {
    // Refused where a document has no origin of its own.
    then(locks.query(), () => {}, () => {});
  }
}
