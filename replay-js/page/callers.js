/**
 * Who calls: a test driver (Playwright, Selenium, a person in the console) runs code of its own in the page, which a
 * replay will not have. Such code stands at no address; the page's does.
 */
import { indexOf, setProperty, split } from './natives.js';

/** How the stack names where code of a page stands: `https://…`, and documents without an address of the network. */
const ADDRESSES = ['://', 'about:', 'blob:', 'data:'];

/** @type {any} */
const NativeError = Error;

/**
 * The event of such code: the browser answers it as if we were not there. Our own drivers are among the visitors:
 * WebKit's waits for an answer by a timer of the page.
 * @type {any}
 */
export const VISITOR = { id: 0, counts: {} };

/**
 * Whether code of the page is on the stack. Where that cannot be told, it is taken to be.
 * @returns {boolean | null} `null`: it is not, but other code that is not our own, as far as a stack tells
 */
export function pageIsCalling() {
  // Chromium keeps ten frames, of which most can be ours, and a page may ask for none.
  const limit = NativeError.stackTraceLimit;
  const isWhole = setProperty(NativeError, 'stackTraceLimit', 99);
  const stack = NativeError.prepareStackTrace || new NativeError().stack;
  setProperty(NativeError, 'stackTraceLimit', limit);
  if (typeof stack !== 'string') {
    return true;
  }
  const lines = split(stack, '\n');
  // Of what a frozen number cuts off, it cannot be told.
  let found = /** @type {boolean | null} */ (!isWhole && lines.length > limit);
  for (let k = 0; k < lines.length; k += 1) {
    if (indexOf(lines[k], '/__xcheck/') < 0) {
      for (let i = 0; i < ADDRESSES.length; i += 1) {
        if (indexOf(lines[k], ADDRESSES[i]) >= 0) {
          return true;
        }
      }
      if (indexOf(lines[k], ' at ') >= 0) {
        found = null;
      }
    }
  }
  return found;
}
