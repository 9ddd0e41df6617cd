/** Page data of this document, as `collect/` reads it, once the page can be painted. */
import { captureDom } from '../collect/dom.js';
import { createCollector } from '../collect/collector.js';
import { createPageWatch } from '../collect/page-watch.js';
import { waitForFrame, waitForPaintable } from '../collect/paintable.js';
import { parseDecimal } from '../more-natives.js';
import { append, getterOf, splice } from '../natives.js';
import { rootsOf } from '../target/roots.js';
import { createStyleImages } from './style-images.js';

const PAINTABLE_DEADLINE_MS = 10_000;
const FRAME_DEADLINE_MS = 2_000;

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {number} load
 * @param {number[]} path
 * @param {import('./measuring.js').Measuring} [measuring]
 * @param {import('./media.js').Media} [media]
 */
export function createPageData(realm, load, path, measuring, media) {
  const { global } = realm;
  const dom = captureDom(global);
  dom.mediaTime = media?.timeOf ?? dom.mediaTime;
  const watch = createPageWatch(dom);
  const collector = createCollector(dom, { load, path, watch, hasMeasured: measuring?.hasMeasured });
  const styleImages = createStyleImages(dom, global);
  const contentWindow = getterOf(global.HTMLIFrameElement.prototype, 'contentWindow');
  const clientLeft = getterOf(global.Element.prototype, 'clientLeft');
  const clientTop = getterOf(global.Element.prototype, 'clientTop');
  const computed = global.getComputedStyle;
  const href = getterOf(global.HTMLLinkElement.prototype, 'href');

  let address = '';

  return {
    watch,
    /**
     * @param {boolean} whole
     * @param {(shadowRoots: any[]) => void} restIn brings to rest what moves
     * @param {boolean} [asContent] without styles and boxes of texts
     */
    async collect(whole, restIn, asContent) {
      const rest = () => {
        const roots = rootsOf(dom, global.document, watch.shadowOf);
        // The first one is the document.
        restIn(splice(roots, 1, roots.length));
      };
      rest();
      const after = (/** @type {() => void} */ run, /** @type {number} */ milliseconds) => realm.setTimeout(global, run, milliseconds);
      const missing = await waitForPaintable(dom, { after, deadline: PAINTABLE_DEADLINE_MS, shadowOf: watch.shadowOf });
      if (collector.skipsUnseen() || realm.awaitsFocus() || wentElsewhere()) {
        const frame = (/** @type {() => void} */ run) => realm.requestAnimationFrame(global, run);
        const undrawn = await waitForFrame(dom, { after, frame, deadline: FRAME_DEADLINE_MS });
        if (undrawn.length) append(missing, undrawn[0]);
      }
      // Waiting lets the browser begin what it has been about to.
      rest();
      const data = collector.collect(whole, asContent);
      const late = await styleImages.wait(data.styles, after, PAINTABLE_DEADLINE_MS);
      for (let i = 0; i < late.length; i += 1) {
        append(missing, late[i]);
      }
      return { data, missing, icons: icons(), unheard: collector.unheard() };
    },

    /** Addresses of style sheets that cannot be read, and of which nothing was heard yet. */
    unheard() {
      collector.readSheets();
      return collector.unheard();
    },
    learn: collector.learn,

    /**
     * Where a child frame's content is in this document's viewport.
     * @param {number} index
     */
    frameOffset(index) {
      const wanted = global[index];
      const frames = realm.queryFrames();
      for (let i = 0; i < frames.length; i += 1) {
        const frame = frames[i];
        if (frame.localName !== 'object' && contentWindowOf(frame) === wanted && wanted) {
          const box = realm.boundingBox(frame);
          const style = computed(frame);
          return { found: true, x: box.left + clientLeft(frame) + pixels(style.paddingLeft), y: box.top + clientTop(frame) + pixels(style.paddingTop) };
        }
      }
      return { found: false, x: 0, y: 0 };
    },
  };

  /**
   * Whether the page has gone to another part of itself since it was last looked at. Chromium comes there when it draws: it scrolls, and opens
   * what hides the part.
   */
  function wentElsewhere() {
    const before = address;
    address = dom.url(global.document);
    return address !== before && dom.findText(address, '#') >= 0;
  }

  /** Of these each browser asks for the one it likes, and says nothing of it to the page. */
  function icons() {
    const links = realm.queryIcons();
    /** @type {string[]} */
    const found = [];
    for (let i = 0; i < links.length; i += 1) {
      append(found, href(links[i]));
    }
    return found;
  }

  /** @param {any} frame */
  function contentWindowOf(frame) {
    return frame.localName === 'iframe' ? contentWindow(frame) : frame.contentWindow;
  }
}

/** @param {string} length */
function pixels(length) {
  return parseDecimal(length) || 0;
}
