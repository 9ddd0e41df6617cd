/** What a database is asked, as promises. A transaction lives until the turn after its last answer. */

/**
 * @param {any} global
 * @param {any} request
 * @returns {Promise<any>}
 */
export function answerOf(global, request) {
  return new global.Promise((/** @type {any} */ resolve, /** @type {any} */ reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * @param {any} global
 * @param {any} transaction
 * @returns {Promise<boolean>} whether it was carried out
 */
export function endOf(global, transaction) {
  return new global.Promise((/** @type {any} */ resolve) => {
    transaction.oncomplete = () => resolve(true);
    transaction.onabort = () => resolve(false);
  });
}
