/**
 * Transitions that a style sheet begins. While one makes way for another that imports a third, the page may be painted with none of
 * them, and what moves then begins there: whether it is painted is up to the network. Where a sheet came after what a person did,
 * the log's transitions are given, then, of whatever would move here.
 */
import { newMap, parseDecimal, slice, uncurry } from '../natives.js';

/** Moving the pointer brings no style sheet. */
const NO_DOING = { __proto__: null, pointermove: true, mousemove: true };

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./log.js').Log} log
 * @param {import('./targets.js').Targets} targets
 * @param {() => void} changed
 */
export function createRestyled(realm, log, targets, changed) {
  const { global } = realm;
  const { TransitionEvent } = global;
  const computed = global.getComputedStyle;
  const valueOf = uncurry(global.CSSStyleDeclaration.prototype.getPropertyValue);
  const matches = uncurry(global.Element.prototype.matches);
  /** After which gestures a style sheet came, by their ids; -1 before the first. */
  const came = newMap();
  let hasCome = false;

  realm.addEventListener(
    realm.document,
    'load',
    (/** @type {any} */ event) => {
      const target = realm.eventTarget(event);
      if (target?.nodeType === 1 && matches(target, 'link, style')) {
        hasCome = true;
        came.set(lastGesture((logged) => logged.done), true);
        changed();
      }
    },
    true,
  );

  /** @param {(logged: import('./log.js').Logged) => boolean} fits */
  function lastGesture(fits) {
    let last = -1;
    for (let i = 0; i < log.ordered.length; i += 1) {
      const logged = log.ordered[i];
      if (logged.what.gesture && !NO_DOING[/** @type {'pointermove'} */ (logged.what.type)] && fits(logged)) {
        last = logged.id;
      }
    }
    return last;
  }

  return {
    /**
     * Whether what has moved here may have been moved by a style sheet.
     * @param {import('./log.js').Logged} logged
     */
    isMovedBySheet: ({ id }) => hasCome && came.has(lastGesture((gesture) => gesture.id < id)),

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
