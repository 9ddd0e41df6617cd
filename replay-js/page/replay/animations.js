/**
 * Animations rest. What the style sheets move is shown where it comes to rest: those that end are over as soon as they are seen, but for
 * transitions, those whose sizes the log tells (`sizes.js`), and those of which it has something else (`under-way.js`); those that never end
 * stay where they begin. When the browser begins them, because the pointer rests on something or a style sheet has come, is its own affair:
 * what counts from there counts from the event of the log after which they are seen. Animations that a script has made begin when the log says
 * so, and go by the time of the event that runs. While the page is looked at all of them stand at their end: how far they have come by then
 * hangs on when the page was first looked at after they began.
 */
import { append, newWeakMap, splice } from '../natives.js';
import { callOff } from './called-off.js';
import { isTransition, movedBy } from './under-way.js';
import { isOfTransition } from './native-events.js';
import { isMadeByStyle } from './played.js';
import { A_HAIR_MS } from './sizes.js';

/** No more elements are kept from the collector. */
const MOST_MOVERS = 300;

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./played.js').Played} played
 * @param {import('./sizes.js').Sizes} sizes
 * @param {import('./under-way.js').UnderWay} underWay
 * @param {import('./moving-drawings.js').MovingDrawings | null} drawings where the trace has such
 * @param {any[]} shadowRoots whose animations the document does not list
 */
export function createAnimations(realm, played, sizes, underWay, drawings, shadowRoots) {
  const { AnimationEvent, TransitionEvent } = realm.global;
  /** Those that never end, and stay where they begin. */
  const stopped = newWeakMap();
  /** The page is looked at. */
  let isShown = false;
  /** Transitions that are on their way, and have been taken away for that. @type {{animation: any, effect: any}[]} */
  const takenAway = [];
  /** By element, what has begun there. */
  const begun = newWeakMap();
  /** The last elements of which something has begun, to be known when they are taken out. @type {any[]} */
  const movers = [];

  /**
   * @param {any} target
   * @param {string} name
   */
  function begins(target, name) {
    const names = begun.get(target) ?? { __proto__: null };
    if (!names[name]) {
      append(movers, target);
      splice(movers, 0, movers.length - MOST_MOVERS);
    }
    names[name] = true;
    begun.set(target, names);
  }

  // On a busy machine one may be over before it is seen.
  realm.addEventListener(
    realm.global,
    'transitionrun',
    (/** @type {any} */ event) => {
      if (event.isTrusted) {
        begins(realm.eventTarget(event), ofProperty(event.propertyName));
      }
    },
    true,
  );

  /** @param {any} animation @returns {boolean} whether it has come to its end */
  function rest(animation) {
    const target = animation.effect?.target;
    if (target) {
      begins(target, animation.animationName ?? ofProperty(animation.transitionProperty));
    }
    const end = realm.animationEnd(animation);
    if (end < Infinity) {
      if ((!underWay.isHeld(animation) && sizes.hold(animation, end)) || underWay.hold(animation, end, sizes.wasHeld(animation))) {
        return false;
      }
      realm.finishAnimation(animation);
      return true;
    }
    if (!stopped.has(animation)) {
      stopped.set(animation, true);
      realm.pauseAnimation(animation);
      // It tells that it has begun when it moves, not while it waits to.
      realm.setAnimationTime(animation, realm.animationDelay(animation));
    }
    return false;
  }

  /**
   * Those of these transitions, which are over, that have begun anew.
   * @param {any[]} ended
   * @param {any[]} roots
   */
  function startedOver(ended, roots) {
    const all = ended.length ? allIn(roots) : [];
    /** @type {any[]} */
    const again = [];
    for (let i = 0; i < all.length; i += 1) {
      for (let j = 0; j < ended.length; j += 1) {
        const same = all[i].transitionProperty === ended[j].transitionProperty && all[i].effect?.target === ended[j].effect?.target;
        if (same && all[i].playState === 'running') {
          append(again, all[i]);
        }
      }
    }
    return again;
  }

  /** @param {any[]} roots of shadows */
  function allIn(roots) {
    const all = realm.getAnimations(realm.document);
    for (let i = 0; i < roots.length; i += 1) {
      const inside = realm.getShadowAnimations(roots[i]);
      for (let j = 0; j < inside.length; j += 1) {
        append(all, inside[j]);
      }
    }
    return all;
  }

  /**
   * Of a transition the end is what the styles say without it. What moves is painted apart from the page, and smoothed otherwise, also where it
   * stands still.
   * @param {any} animation
   * @param {number} end
   */
  function showEnd(animation, end) {
    const effect = isTransition(animation) ? realm.takeEffect(animation) : null;
    if (effect) {
      append(takenAway, { animation, effect });
    } else {
      realm.setAnimationTime(animation, end - A_HAIR_MS);
      underWay.show(animation);
    }
  }

  function putBack() {
    for (let i = 0; i < takenAway.length; i += 1) {
      realm.setEffect(takenAway[i].animation, takenAway[i].effect);
    }
    takenAway.length = 0;
  }

  /** What else moves goes on until the next step, as where no sizes are told. */
  function holdSizes() {
    const animations = isShown ? [] : allIn(shadowRoots);
    for (let i = 0; i < animations.length; i += 1) {
      const end = realm.animationEnd(animations[i]);
      if (isOnItsWay(animations[i]) && end < Infinity && !underWay.isHeld(animations[i])) {
        sizes.hold(animations[i], end);
      }
    }
  }

  /** Whether a style moves something by time. @param {any} animation */
  function isOnItsWay(animation) {
    return isMadeByStyle(animation) && realm.isTimed(animation) && (realm.animationState(animation) === 'running' || isHeld(animation));
  }

  /** Whether it rests because it is held on its way. @param {any} animation */
  const isHeld = (animation) => sizes.isHeld(animation) || underWay.isHeld(animation);

  /** @param {any} animation */
  function goOn(animation) {
    const place = played.placeOf(animation);
    if (place === undefined) {
      return;
    }
    if (realm.animationRate(animation) < 0 ? place <= 0 : place >= realm.animationEnd(animation)) {
      played.ends(animation);
    } else {
      realm.setAnimationTime(animation, place);
    }
  }

  return {
    /** Whether the page is looked at, and what moves stands at its end. */
    isShown: () => isShown,

    /**
     * The log says that an animation of this element is over. Of those that are held on their way, it is the one that is named.
     * @param {any} target
     * @param {string | undefined} name
     */
    finish(target, name) {
      const animations = target ? allIn(shadowRoots) : [];
      for (let i = 0; i < animations.length; i += 1) {
        const animation = animations[i];
        const isAnother = isHeld(animation) && name !== undefined && name !== movedBy(animation);
        if (animation.effect?.target === target && realm.animationEnd(animation) < Infinity && !isAnother) {
          played.ends(animation);
        }
      }
    },

    /**
     * The log says that this one has come to its end. By the time of the event it may be a hair's breadth from there: when it
     * began, the recording knows no better than to a frame.
     * @param {any} animation
     */
    end(animation) {
      if (animation.playState !== 'idle' && realm.animationEnd(animation) < Infinity) {
        played.ends(animation);
      }
    },

    /**
     * The log says that something has become of this motion of a drawing.
     * @param {string} type of the event that tells
     * @param {any} motion
     * @param {(isOver: () => boolean) => Promise<void>} wait
     * @param {() => boolean} hasCome
     * @returns {Promise<any>} an event, where the browser does not tell
     */
    async come(type, motion, wait, hasCome) {
      return await drawings?.come(type, motion, wait, hasCome);
    },

    /**
     * Whether an animation of this name has begun here, so that it can come round.
     * @param {any} target
     * @param {string} name
     */
    hasBegun(target, name) {
      this.step();
      return begun.get(target)?.[name] === true;
    },

    /**
     * Whether a transition of this property has begun here.
     * @param {any} target
     * @param {string} property
     */
    hasMoved: (target, property) => begun.get(target)?.[ofProperty(property)] === true,

    /**
     * An element that moved and has been taken out of the page.
     * @param {(element: any) => boolean} isIt
     */
    takenOut(isIt) {
      for (let i = movers.length - 1; i >= 0; i -= 1) {
        if (!movers[i].isConnected && isIt(movers[i])) {
          return movers[i];
        }
      }
      return null;
    },

    /**
     * What is at rest here cannot be cut off any more, and what has been cut off cannot come to its end: the event of that, if it has begun.
     * @param {any} target
     * @param {any} what of the log
     */
    isOver(target, { type, data }) {
      const ofTransition = isOfTransition(type);
      const name = data?.animation;
      if (!target || !begun.get(target)?.[ofTransition ? ofProperty(name) : name]) {
        return undefined;
      }
      const of = { bubbles: true, pseudoElement: data.pseudo ?? '' };
      return ofTransition ? new TransitionEvent(type, { ...of, propertyName: name }) : new AnimationEvent(type, { ...of, animationName: name });
    },

    /**
     * For a look at the page. The next step takes what scripts have made back to where it was.
     * @param {any[]} roots all shadow roots that there are, also those that the parser made
     */
    show(roots) {
      this.step(roots);
      isShown = true;
      const animations = allIn(roots);
      for (let i = 0; i < animations.length; i += 1) {
        const animation = animations[i];
        const end = realm.animationEnd(animation);
        if (isMadeByStyle(animation)) {
          if (isOnItsWay(animation) && end < Infinity) {
            showEnd(animation, end);
          }
        } else if (end < Infinity && played.placeOf(animation) !== undefined) {
          realm.setAnimationTime(animation, realm.animationRate(animation) < 0 ? 0 : end);
        }
      }
    },

    /**
     * Where the log tells of sizes soon, what an event sets off is held before the browser's clock moves it: with the next frame, for
     * after a click a browser may make many before anything else.
     */
    catchSizes() {
      if (sizes.areTold()) {
        realm.requestAnimationFrame(realm.global, holdSizes);
      }
    },

    /**
     * The log tells of sizes: what moves is put where it was then.
     * @param {number} id
     * @param {import('./engine.js').Entry} entry who is told
     * @returns {boolean} whether they may be those of something on its way
     */
    stepToSizes(id, entry) {
      const isOfMoving = sizes.reach(id, entry);
      this.step();
      return isOfMoving || played.moves();
    },

    /** @param {any[]} [roots] all there are, when they are known */
    step(roots = shadowRoots) {
      isShown = false;
      putBack();
      drawings?.step(roots);
      const animations = allIn(roots);
      /** @type {any[]} */
      const ended = [];
      for (let i = 0; i < animations.length; i += 1) {
        const animation = animations[i];
        if (!isMadeByStyle(animation)) {
          goOn(animation);
        } else if (isOnItsWay(animation) && rest(animation) && isTransition(animation)) {
          append(ended, animation);
        }
      }
      const again = startedOver(ended, roots);
      if (again.length) {
        callOff(realm, again);
      }
    },
  };
}

/** No animation has a name of two words. @param {string} property */
function ofProperty(property) {
  return 'transition ' + property;
}

/** @typedef {ReturnType<typeof createAnimations>} Animations */
