/** What a field was like when a key was pressed in it, as far as no event told of that. */

import { isAct } from './log.js';

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./targets.js').Targets} targets
 */
export function createFields(realm, targets) {
  /** The last key, should it have taken the focus along. */
  let last = '';

  /** The field in which that was pressed, if nothing else was done since: where its caret is by now, is that key's doing. */
  let pressedIn = /** @type {any} */ (null);

  /**
   * A focus that moves within a shadow tree is not heard of outside it: a driver's own is in no log.
   * @param {any} target
   */
  function focusWithin(target) {
    const within = target?.nodeType === 1 ? realm.shadowOf(target) : null;
    if (within?.activeElement && within.activeElement !== target) {
      realm.focus(target);
    }
  }

  /**
   * What a driver or a menu had selected.
   * @param {any} target
   * @param {number[]} selection
   */
  function select(target, selection) {
    if (target && (target.selectionStart !== selection[0] || target.selectionEnd !== selection[1])) {
      realm.setSelection(target, selection[0], selection[1]);
    }
  }

  return {
    /** @param {any} gesture that comes next */
    prepare(gesture) {
      const isPress = gesture?.type === 'keydown';
      const selection = gesture?.data?.selection;
      const target = isPress || selection ? targets.find(gesture.target).target : null;
      if (isPress && last !== 'Tab') {
        focusWithin(target);
      }
      const isLeftByKey = target === pressedIn && selection?.[0] === selection?.[1];
      if (selection && !isLeftByKey) {
        select(target, selection);
      }
      if (gesture && isAct(gesture) && gesture.type !== 'keyup') {
        pressedIn = isPress ? target : null;
      }
      last = gesture?.data?.key ?? '';
    },
  };
}
