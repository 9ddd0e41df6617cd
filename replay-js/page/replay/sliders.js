/**
 * Sliders of the platform's that a pointer moves: where the pointer is, another engine's track has another value, and half a pixel decides.
 * The page is told of the recording's values, and how many there are on the way is no difference either. What keys do to one is the browser's.
 */
import { newWeakMap } from '../natives.js';

const TELLS_VALUE = { __proto__: null, input: true, change: true };
const SLIDER = 'range';

/**
 * Whether this tells of a slider that has been moved by hand.
 * @param {any} what
 * @param {any} gesture that it came of
 */
export function isOfSlider({ type, target, data }, gesture) {
  return TELLS_VALUE[/** @type {'input'} */ (type)] === true && target.field_type === SLIDER && data?.value !== undefined && gesture !== undefined && gesture.type !== 'keydown';
}

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./findings.js').Findings} findings
 */
export function createSliders(realm, findings) {
  /** What the page takes each for. */
  const values = newWeakMap();

  const isSlider = (/** @type {any} */ target) => target?.nodeType === 1 && realm.localName(target) === 'input' && target.type === SLIDER;

  return {
    /**
     * Before the pointer is given.
     * @param {any} target
     */
    begin(target) {
      if (isSlider(target)) {
        values.set(target, target.value);
      }
    },

    /**
     * The browser tells what the log does.
     * @param {import('./log.js').Logged} logged
     * @param {any} target
     */
    moveAsLogged({ id, what }, target) {
      const { value } = what.data;
      values.set(target, value);
      if (target.value !== value) {
        findings.note(id, 'here at ' + target.value + ', which is another place on its track');
        realm.setValue(target, value);
      }
    },

    /**
     * The browser tells of a value that is in no log: whether it is one on the way, which the page does not hear of.
     * @param {string} type
     * @param {any} target
     */
    isOnTheWay(type, target) {
      if (type !== 'input' || !isSlider(target) || !values.has(target)) {
        return false;
      }
      realm.setValue(target, values.get(target));
      return true;
    },
  };
}
