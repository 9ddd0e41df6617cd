/** The screen that the page was shown on when it was recorded, by whose size some pages decide. */
import { apply } from '../natives.js';

/** Each with its place in what was recorded: of what windows may take of the screen nothing is known. */
const SIDES = [['width', 0], ['height', 1], ['availWidth', 0], ['availHeight', 1]];

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../patch.js').Patcher} patch
 * @param {number[] | null} recorded nothing where the recording does not say
 */
export function installScreen({ global }, patch, recorded) {
  for (let i = 0; recorded && i < SIDES.length; i += 1) {
    const name = SIDES[i][0];
    const side = recorded[/** @type {number} */ (SIDES[i][1])];
    patch.accessor(global.Screen?.prototype, /** @type {string} */ (name), (get) => ({
      get [name]() {
        // Who asks what is no screen is told so by the browser.
        apply(get, this, []);
        return side;
      },
    }));
  }
}
