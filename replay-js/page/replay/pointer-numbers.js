/**
 * The number by which this browser calls each pointer, Firefox's mouse being 0 and others' 1: a page finds by it what it began when the
 * pointer was pressed, so that an event which is made here has to have the same.
 */
const TELLING = ['pointerover', 'pointerdown', 'pointermove'];

/** @param {import('./realm.js').ReplayRealm} realm */
export function createPointerNumbers(realm) {
  const numbers = /** @type {Record<string, number>} */ (/** @type {unknown} */ ({ __proto__: null }));
  const remember = (/** @type {any} */ event) => {
    if (event.isTrusted) {
      numbers[event.pointerType] = event.pointerId;
    }
  };
  for (let i = 0; i < TELLING.length; i += 1) {
    realm.addEventListener(realm.global, TELLING[i], remember, true);
  }
  return (kind = 'mouse') => numbers[kind] ?? 1;
}

/** @typedef {ReturnType<typeof createPointerNumbers>} NumberOf */
