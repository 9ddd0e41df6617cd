/**
 * Frames whose documents tell nothing of themselves. A blank one has been loaded in Chromium and WebKit as soon as it stands
 * in the document; in Firefox its `load` comes some task later, and where the page waits for it, everything after depends on
 * when. So it is awaited where it was made. What stands in an attribute, or runs no scripts, comes when it comes: it is
 * awaited when the page is looked at.
 */
import { append, getterOf, newWeakMap, slice } from '../natives.js';

/** For a frame that was sent elsewhere at once, or whose answer is not there yet. */
const LOCAL_FRAME_DEADLINE_MS = 2_000;

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('../watch.js').Watch} watch
 * @param {import('./waiting.js').Waiting} waiting
 */
export function createLocalFrames(realm, watch, waiting) {
  const frameCount = getterOf(realm.global, 'length');
  const loaded = newWeakMap();
  /** What frames were to show when they had last loaded. */
  const shown = newWeakMap();
  let counted = 0;

  watch(realm.document, 'load', (event) => {
    const target = realm.eventTarget(event);
    if (event.isTrusted && realm.localName(target) === 'iframe') {
      loaded.set(target, true);
      shown.set(target, contentOf(target));
      waiting.changed();
    }
  });

  /** @param {any} frame */
  function contentOf(frame) {
    return realm.getAttribute(frame, 'srcdoc') ?? realm.getAttribute(frame, 'src');
  }

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

    /**
     * Waits until silent ones show what they are to show.
     * @returns {Promise<string[]>} what was waited for in vain
     */
    async show() {
      /** @type {string[]} */
      const missing = [];
      const frames = realm.querySilentFrames();
      for (let i = 0; i < frames.length; i += 1) {
        const frame = frames[i];
        const content = contentOf(frame);
        const came = await waiting.until(() => shown.get(frame) === content || contentOf(frame) !== content || !realm.isConnected(frame), LOCAL_FRAME_DEADLINE_MS);
        if (!came) {
          append(missing, 'a frame with ' + (realm.hasAttribute(frame, 'srcdoc') ? '`srcdoc`' : content));
        }
        // One that does not come is not awaited again.
        shown.set(frame, content);
      }
      return missing;
    },
  };
}

/** @typedef {ReturnType<typeof createLocalFrames>} LocalFrames */
