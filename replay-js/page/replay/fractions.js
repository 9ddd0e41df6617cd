/**
 * Fractions in a radix of the page's own, as `Math.random().toString(36)` makes identifiers of them. How many digits those have,
 * and which one is the last, is left to each engine, so that the same random number has another name in each. Of a recording by V8
 * other engines write them as V8 does.
 */
import { abs, max } from '../more-natives.js';
import { append, apply, floor, indexOf, numberText, slice, toNumber, trunc, uncurry } from '../natives.js';

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';

/** The smallest number above zero. */
const SMALLEST = 5e-324;

const valueOf = uncurry(Number.prototype.valueOf);

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../patch.js').Patcher} patch
 */
export function installFractions({ global }, patch) {
  if ('v8BreakIterator' in global.Intl) {
    return;
  }
  patch.method(global.Number.prototype, 'toString', (original) => ({
    toString(/** @type {any} */ radix) {
      const base = radix === undefined ? 10 : trunc(toNumber(radix));
      const text = apply(original, this, [base]);
      return base === 10 || indexOf(text, '.') < 0 ? text : writeAsRecorded(valueOf(this), base);
    },
  }).toString);
}

/**
 * As V8 does it: digits until what is left is less than half of what lies between this number and the next, the last one rounded
 * up where that tells no other number.
 * @param {number} number
 * @param {number} radix
 */
export function writeAsRecorded(number, radix) {
  const size = abs(number);
  let whole = floor(size);
  let rest = size - whole;
  let slack = max(distanceToNext(size) / 2, SMALLEST);
  /** @type {number[]} */
  const digits = [];
  while (rest >= slack) {
    rest *= radix;
    slack *= radix;
    const digit = floor(rest);
    append(digits, digit);
    rest -= digit;
    if ((rest > 0.5 || (rest === 0.5 && digit % 2 === 1)) && rest + slack > 1) {
      whole += carry(digits, radix);
      break;
    }
  }
  let text = (number < 0 ? '-' : '') + numberText(whole, radix);
  for (let i = 0; i < digits.length; i += 1) {
    text += (i === 0 ? '.' : '') + slice(DIGITS, digits[i], digits[i] + 1);
  }
  return text;
}

/**
 * Rounds the last digit up; what becomes zero by that is left out.
 * @param {number[]} digits
 * @param {number} radix
 * @returns {number} what the whole number gets of it
 */
function carry(digits, radix) {
  while (digits.length > 0) {
    const last = digits.length - 1;
    if (digits[last] + 1 < radix) {
      digits[last] += 1;
      return 0;
    }
    digits.length = last;
  }
  return 1;
}

/** @param {number} size */
function distanceToNext(size) {
  let power = 1;
  while (power > size && power > 2 ** -1022) {
    power /= 2;
  }
  while (power <= size / 2) {
    power *= 2;
  }
  return power * 2 ** -52;
}
