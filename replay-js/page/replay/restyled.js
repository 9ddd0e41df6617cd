/**
 * Transitions that a style sheet begins. While one makes way for another that imports a third, most engines show the page with none
 * of them, and what moves then begins there; WebKit keeps the old one. From when a style sheet comes until a person does something,
 * the log's transitions are given, then, of whatever would move here. Before the first gesture they come with the page.
 */
import { parseDecimal } from '../more-natives.js';
import { slice, uncurry } from '../natives.js';
import { isAct } from './log.js';

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./targets.js').Targets} targets
 */
export function createRestyled(realm, targets) {
  const { global } = realm;
  const { TransitionEvent } = global;
  const computed = global.getComputedStyle;
  const valueOf = uncurry(global.CSSStyleDeclaration.prototype.getPropertyValue);
  let isRestyled = true;

  return {
    sheetCame() {
      isRestyled = true;
    },

    /** @param {any} gesture */
    acted(gesture) {
      // Moving the pointer brings no style sheet.
      isRestyled &&= gesture === undefined || !isAct(gesture);
    },

    /** Whether what has moved may have been moved by a style sheet. */
    isMovedBySheet: () => isRestyled,

    /**
     * The event of a transition that would have been, if its element has one of that property.
     * @param {any} what
     */
    event(what) {
      const { target } = targets.find(what.target);
      const { animation: propertyName, pseudo: pseudoElement = '' } = what.data ?? {};
      if (target?.nodeType !== 1 || !propertyName) {
        return undefined;
      }
      const style = computed(target, pseudoElement || null);
      const elapsedTime = durationOf(valueOf(style, 'transition-property'), valueOf(style, 'transition-duration'), propertyName);
      return elapsedTime > 0 ? new TransitionEvent(what.type, { bubbles: true, cancelable: true, propertyName, pseudoElement, elapsedTime }) : undefined;
    },
  };
}

/**
 * Seconds that a property takes, 0 where it does not move. A shorthand names the longhands that begin as it does.
 * @param {string} properties
 * @param {string} durations
 * @param {string} property
 */
function durationOf(properties, durations, property) {
  const names = listOf(properties);
  const times = listOf(durations);
  let found = 0;
  for (let i = 0; i < names.length; i += 1) {
    const name = names[i];
    if (name === 'all' || name === property || slice(property, 0, name.length + 1) === name + '-') {
      found = seconds(times[i % times.length]);
    }
  }
  return found;
}

/** @param {string} text `opacity, color` */
function listOf(text) {
  /** @type {string[]} */
  const list = [''];
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] === ',') {
      list[list.length] = '';
    } else if (text[i] !== ' ') {
      list[list.length - 1] += text[i];
    }
  }
  return list;
}

/** @param {string} time `0.15s` or `150ms` */
function seconds(time) {
  const number = parseDecimal(time) || 0;
  return slice(time, -2) === 'ms' ? number / 1000 : number;
}

/** @typedef {ReturnType<typeof createRestyled>} Restyled */
