/** CSS animations and transitions stand still, at the time of the event that runs. */
import { newWeakMap } from '../natives.js';

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {{now: () => number}} virtualTime
 */
export function createAnimations(realm, virtualTime) {
  /** When each began, in virtual time. */
  const started = newWeakMap();
  return {
    /**
     * The log says that an animation of this element is over.
     * @param {any} target
     */
    finish(target) {
      const animations = target ? realm.getAnimations(realm.document) : [];
      for (let i = 0; i < animations.length; i += 1) {
        const { effect } = animations[i];
        if (effect?.target === target && realm.animationEnd(animations[i]) < Infinity) {
          realm.finishAnimation(animations[i]);
        }
      }
    },

    /** Pauses what is new, and sets everything to now; what is over by now is finished, and tells so by its own events. */
    step() {
      const animations = realm.getAnimations(realm.document);
      for (let i = 0; i < animations.length; i += 1) {
        const animation = animations[i];
        const now = virtualTime.now();
        if (!started.has(animation)) {
          started.set(animation, now);
          realm.pauseAnimation(animation);
        }
        const elapsed = now - started.get(animation);
        const end = realm.animationEnd(animation);
        if (elapsed >= end) {
          realm.finishAnimation(animation);
        } else {
          realm.setAnimationTime(animation, elapsed);
        }
      }
    },
  };
}

/** @typedef {ReturnType<typeof createAnimations>} Animations */
