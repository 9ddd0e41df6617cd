/** What a person chooses in a window of the browser's own, which no input reaches: options, colours, ranges. */
import { dataOf } from '../sources/dom-data.js';

/**
 * Sets a control as the browser would, and tells the page. The log has it as the gesture that it stands for: a replay
 * gives it in the same way.
 * @param {import('../replay/realm.js').ReplayRealm} realm
 * @param {import('../record/engine.js').Engine} engine
 * @param {(target: any) => any} locate
 * @param {any} element
 * @param {{value?: string, selected?: number[]}} what
 */
export function changeField(realm, engine, locate, element, { value, selected }) {
  if (!element) {
    return { __proto__: null, found: false };
  }
  const { global } = realm;
  if (value !== undefined) {
    realm.setValue(element, value);
  }
  for (let i = 0; selected && i < element.options.length; i += 1) {
    let wanted = false;
    for (let k = 0; k < selected.length; k += 1) {
      wanted ||= selected[k] === i;
    }
    element.options[i].selected = wanted;
  }
  const event = new global.Event('change', { bubbles: true });
  const logged = () => {
    const type = 'change';
    const describe = () => ({ type, gesture: true, target: locate(element), data: dataOf(realm, event, type, element, locate) });
    engine.dom(event, describe, true, false);
  };
  realm.addEventListener(global, 'change', logged, true);
  realm.dispatchEvent(element, event);
  realm.removeEventListener(global, 'change', logged, true);
  return { __proto__: null, found: true };
}
