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
  /** What frames were to show when they had last loaded, or were given up. */
  const shown = newWeakMap();
  let counted = 0;

  watch(realm.document, 'load', (event) => {
    const target = realm.eventTarget(event);
    if (event.isTrusted && realm.localName(target) === 'iframe') {
      shown.set(target, contentOf(target));
      waiting.changed();
    }
  });

  /** @param {any} frame */
  function contentOf(frame) {
    return realm.getAttribute(frame, 'srcdoc') ?? realm.getAttribute(frame, 'src');
  }

  /**
   * Whether it comes to show what it is to show, or is taken away. One that does not is not awaited again.
   * @param {any} frame
   */
  async function comes(frame) {
    const came = await waiting.until(() => shown.get(frame) === contentOf(frame) || !realm.isConnected(frame), LOCAL_FRAME_DEADLINE_MS);
    shown.set(frame, contentOf(frame));
    return came;
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
        if (realm.localName(frames[i]) === 'iframe' && !shown.has(frames[i]) && isLocal(frames[i])) {
          append(coming, frames[i]);
        }
      }
      for (let i = 0; i < coming.length; i += 1) {
        await comes(coming[i]);
      }
    },

    /**
     * Waits until silent ones show what they are to show.
     * @returns {Promise<string[]>} what was waited for in vain
     */
    async show() {
      /** @type {string[]} */
      const missing = [];
      // Pages without frames are not searched at each look.
      const frames = frameCount(realm.global) === 0 ? [] : realm.querySilentFrames();
      for (let i = 0; i < frames.length; i += 1) {
        if (!(await comes(frames[i]))) {
          append(missing, 'a frame with ' + (realm.hasAttribute(frames[i], 'srcdoc') ? '`srcdoc`' : contentOf(frames[i])));
        }
      }
      return missing;
    },
  };
}

/** @typedef {ReturnType<typeof createLocalFrames>} LocalFrames */
