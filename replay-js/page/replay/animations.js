/** CSS animations and transitions stand still, at the time of the event that runs. */
import { newWeakMap } from '../natives.js';

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {{now: () => number}} virtualTime
 */
export function createAnimations(realm, virtualTime) {
  /** When each began, in virtual time. */
  const started = newWeakMap();
  /** Roots other than the document: open shadow roots answer for themselves. */
  return {
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
