/**
 * Frames without a network. Chromium and WebKit have loaded one as soon as it stands in the document; in Firefox its `load`
 * comes some task later, and where the page waits for it, everything after depends on when. So it is awaited where it
 * was made.
 */
import { append, getterOf, newWeakMap, slice } from '../natives.js';

/** For a frame that was sent elsewhere at once. */
const LOCAL_FRAME_DEADLINE_MS = 2_000;

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('../watch.js').Watch} watch
 * @param {import('./waiting.js').Waiting} waiting
 */
export function createLocalFrames(realm, watch, waiting) {
  const frameCount = getterOf(realm.global, 'length');
  const loaded = newWeakMap();
  let counted = 0;

  watch(realm.document, 'load', (event) => {
    const target = realm.eventTarget(event);
    if (event.isTrusted && realm.localName(target) === 'iframe') {
      loaded.set(target, true);
      waiting.changed();
    }
  });

  /** @param {any} frame */
  function isLocal(frame) {
    const src = realm.getAttribute(frame, 'src') ?? '';
    return (src === '' || slice(src, 0, 11) === 'about:blank') && !realm.hasAttribute(frame, 'srcdoc');
  }

  return {
    /** Waits for those that are new. */
    async haveLoaded() {
      const count = frameCount(realm.global);
      if (count === counted) {
        return;
      }
      counted = count;
      const frames = realm.queryFrames();
      /** @type {any[]} */
      const coming = [];
      for (let i = 0; i < frames.length; i += 1) {
        if (realm.localName(frames[i]) === 'iframe' && !loaded.has(frames[i]) && isLocal(frames[i])) {
          append(coming, frames[i]);
        }
      }
      for (let i = 0; i < coming.length; i += 1) {
        await waiting.until(() => loaded.has(coming[i]) || !realm.isConnected(coming[i]), LOCAL_FRAME_DEADLINE_MS);
        // One that does not come is not awaited again.
        loaded.set(coming[i], true);
      }
    },
  };
}

/** @typedef {ReturnType<typeof createLocalFrames>} LocalFrames */
