/**
 * Transitions of what is inherited. A colour that moves goes down to what inherits it, and where that has a transition of
 * its own, Blink begins it anew as long as the colour moves: how often it comes to an end is up to frames. Others do it once.
 * The log's ends are given, then, where both were seen to move here.
 */
import { newWeakMap } from '../natives.js';

/**
 * @param {import('./animations.js').Animations} animations
 * @param {import('./targets.js').Targets} targets
 */
export function createInherited(animations, targets) {
  /** The last event of each kind, by target. */
  const seen = newWeakMap();

  /**
   * @param {string} type
   * @param {string} property
   * @param {string} pseudo
   */
  const kindOf = (type, property, pseudo) => type + ' ' + property + ' ' + pseudo;

  return {
    /**
     * @param {any} event of a transition
     * @param {string} type
     * @param {any} target
     */
    came(event, type, target) {
      const kinds = seen.get(target) ?? { __proto__: null };
      kinds[kindOf(type, event.propertyName, event.pseudoElement ?? '')] = event;
      seen.set(target, kinds);
    },

    /**
     * The event to give once more, if this one may have come again in the recording alone.
     * @param {any} what
     */
    again(what) {
      const { target } = targets.find(what.target);
      const { animation: property, pseudo = '' } = what.data ?? {};
      const event = target && seen.get(target)?.[kindOf(what.type, property, pseudo)];
      if (!event) {
        return undefined;
      }
      for (let at = pseudo ? target : targets.parent(target); at; at = targets.parent(at)) {
        if (animations.hasMoved(at, property)) {
          return event;
        }
      }
      return undefined;
    },
  };
}

/** @typedef {ReturnType<typeof createInherited>} Inherited */
