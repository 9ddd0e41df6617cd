// A page is paintable when its fonts are there and its images are decoded or have failed: measured earlier, boxes have
// fall-back fonts and images no size. Whatever does not come in time is named, because then the measurement is of a page that was
// not ready, and the reader must know. Images that a style sheet brings are waited for when the styles have been read.
import { newWeakMap } from '../natives.js';
import { HTML_NAMESPACE } from './namespace.js';
import { selectAll } from '../target/select.js';
import { rootsOf } from '../target/roots.js';

/** @typedef {import('./dom.js').Dom} Dom */

/** Between two rounds of waiting for fonts. */
const FONT_MS = 10;

/** Images that once took too long, with their sources: the next checkpoint must not wait for them again. */
const givenUp = newWeakMap();

/**
 * @param {Dom} dom
 * @param {{after: (run: () => void, milliseconds: number) => void, deadline: number, shadowOf?: (host: any) => any}} options
 *   `after` is the browser's own timer; `deadline` in milliseconds
 * @returns {Promise<string[]>} what was waited for in vain
 */
export async function waitForPaintable(dom, options) {
  const { after } = options;
  const document = dom.document;
  const roots = rootsOf(dom, document, options.shadowOf || dom.openShadow);
  // Fonts are asked for when text in them is laid out, so there must be a layout first.
  dom.box(dom.rootElement(document));
  const pending = pendingImages(dom, roots);
  const late = { passed: false };
  const deadline = dom.makePromise(done => {
    after(() => {
      late.passed = true;
      done();
    }, options.deadline);
  });
  await firstOf(dom, [fontsReady(dom, after, late), deadline]);
  for (let at = 0; at < pending.length && !late.passed; at++) await firstOf(dom, [pending[at].settled, deadline]);
  return late.passed ? inVain(dom, pending) : [];
}

/**
 * Waits until the engine has drawn: two callbacks before a frame have a whole frame between them.
 * @param {Dom} dom
 * @param {{after: (run: () => void, milliseconds: number) => void, frame: (run: () => void) => void, deadline: number}} options
 * @returns {Promise<string[]>} what was waited for in vain: an engine draws no frames for what nobody can see
 */
export async function waitForFrame(dom, options) {
  const { after, frame, deadline } = options;
  let drawn = false;
  const frames = dom.makePromise(done => {
    frame(() =>
      frame(() => {
        drawn = true;
        done();
      }),
    );
  });
  await firstOf(dom, [frames, dom.makePromise(done => after(done, deadline))]);
  return drawn ? [] : ['a frame, on which `autofocus`, `content-visibility` and what a hash leads to depend'];
}

/** @param {Dom} dom @param {Promise<void>[]} promises @returns {Promise<void>} */
function firstOf(dom, promises) {
  return dom.makePromise(done => {
    for (let at = 0; at < promises.length; at++) dom.then(promises[at], done, done);
  });
}

/**
 * A wait ends when the fonts asked for are there, which may make the page ask for others. WebKit keeps a promise that has been kept
 * while more are loading: without a task between two rounds, nothing would ever load.
 * @param {Dom} dom
 * @param {(run: () => void, milliseconds: number) => void} after
 * @param {{passed: boolean}} late
 */
async function fontsReady(dom, after, late) {
  const fonts = dom.fonts(dom.document);
  if (!fonts) return;
  const isLoading = () => dom.fontsStatus(fonts) === 'loading';
  do {
    await dom.fontsReady(fonts);
    dom.box(dom.rootElement(dom.document));
    if (isLoading()) await dom.makePromise(done => after(done, FONT_MS));
  } while (isLoading() && !late.passed);
}

/** @param {Dom} dom @param {any[]} roots */
function pendingImages(dom, roots) {
  /** @type {{image: any, done: boolean, settled: Promise<void>}[]} */
  const pending = [];
  for (let at = 0; at < roots.length; at++) {
    const images = selectAll(dom, roots[at], 'img');
    for (let index = 0; index < images.length; index++) {
      const image = images[index];
      if (!isImage(dom, image) || isPutOff(dom, image)) continue;
      if (dom.mapGet(givenUp, image) === imageSourceOf(dom, image)) continue;
      const entry = { image, done: false, settled: dom.makePromise(() => {}) };
      entry.settled = decoded(dom, image, () => {
        entry.done = true;
      });
      pending[pending.length] = entry;
    }
  }
  return pending;
}

/** An `img` of another namespace is none. @param {Dom} dom @param {any} image */
function isImage(dom, image) {
  return dom.namespace(image) === HTML_NAMESPACE && (dom.attribute(image, 'src') || dom.attribute(image, 'srcset'));
}

/** @param {Dom} dom @param {any} image */
function imageSourceOf(dom, image) {
  return dom.imageSource(image) || dom.imageAddress(image);
}

/** A lazy image outside the viewport is not loaded until somebody scrolls there. @param {Dom} dom @param {any} image */
function isPutOff(dom, image) {
  if (dom.imageLoading(image) !== 'lazy' || dom.imageComplete(image)) return false;
  const box = dom.box(image);
  const x = dom.rectX(box), y = dom.rectY(box);
  return !(x < dom.innerWidth() && y < dom.innerHeight() && x + dom.rectWidth(box) > 0 && y + dom.rectHeight(box) > 0) || dom.rectWidth(box) === 0;
}

/** Loaded and decoded, or failed: both are final. @param {Dom} dom @param {any} image @param {() => void} done */
async function decoded(dom, image, done) {
  try {
    await dom.decodeImage(image);
  } catch {
    // A broken image stays broken; that it is not loaded stands in the page data.
  }
  done();
}

/** @param {Dom} dom @param {{image: any, done: boolean}[]} pending */
function inVain(dom, pending) {
  /** @type {string[]} */
  const names = [];
  const fonts = dom.fonts(dom.document);
  if (fonts) {
    dom.eachFont(fonts, (/** @type {any} */ font) => {
      if (dom.fontStatus(font) === 'loading') names[names.length] = 'font ' + dom.fontFamily(font);
    });
  }
  for (let at = 0; at < pending.length; at++) {
    if (pending[at].done) continue;
    dom.mapSet(givenUp, pending[at].image, imageSourceOf(dom, pending[at].image));
    names[names.length] = 'image ' + imageSourceOf(dom, pending[at].image);
  }
  return names.length ? names : ['fonts or images that came only after the deadline'];
}
