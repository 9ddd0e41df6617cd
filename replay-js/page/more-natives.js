/** The browser's own functions that the recorder does not call: it has no room for names that it does not use. See `natives.js`. */

export const { abs, max, min, sign } = Math;
export const newPromise = Promise;
export const parseDecimal = parseFloat;
