/** The browser's own functions that the recorder does not call: it has no room for names that it does not use. See `natives.js`. */

import { uncurry } from './natives.js';

export const { abs, max, min, sign } = Math;
export const includes = uncurry(Array.prototype.includes);
export const newPromise = Promise;
export const parseDecimal = parseFloat;
