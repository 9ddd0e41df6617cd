/**
 * What has the focus loses it when another element is shown on the whole screen: in every engine, but only once the page
 * has been drawn so. Code that leaves the whole screen at once leaves it or not before that, by chance; here it leaves
 * after it.
 */

/** In the first the focus is found to be out of place, and taken before the second. */
const FRAMES = 2;

/**
 * @template T
 * @param {import('./waiting.js').Waiting} waiting
 * @param {string} identity of what is called
 * @param {() => Promise<T>} start
 * @returns {Promise<T>}
 */
export function onceDrawn(waiting, identity, start) {
  return identity === 'Document.exitFullscreen' ? afterFrames(waiting, start) : start();
}

/**
 * @template T
 * @param {import('./waiting.js').Waiting} waiting
 * @param {() => Promise<T>} start
 */
async function afterFrames(waiting, start) {
  for (let i = 0; i < FRAMES; i += 1) {
    await waiting.nextFrame();
  }
  return await start();
}
