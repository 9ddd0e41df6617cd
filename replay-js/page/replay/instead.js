/**
 * What an input is announced to bring, and this browser does not, though nothing has gone another way: it is given to the page by script, or
 * done without, each time for a reason that is noted.
 */
import { isMade } from './made.js';
import { isOfParts, isPicked } from './pickers.js';
import { MOVED_BELOW } from './pointer.js';
import { isOfSlider } from './sliders.js';

/** The number of these follows the driver's way of moving the pointer. */
export const POINTER_MOVES = { __proto__: null, pointermove: 1, mousemove: 1, pointerover: 1, pointerout: 1, mouseover: 1, mouseout: 1, pointerenter: 1, pointerleave: 1, mouseenter: 1, mouseleave: 1 };

/**
 * @param {{
 *   findings: import('./findings.js').Findings,
 *   arrivals: import('./arrivals.js').Arrivals,
 *   captures: ReturnType<typeof import('./captures.js').createCaptures>,
 *   clicks: import('./clicks.js').Clicks,
 *   pointer: import('./pointer.js').Pointer,
 *   resting: import('./resting.js').Resting,
 *   giving: import('./giving.js').Giving,
 *   gesture: () => any,
 *   perform: (logged: import('./log.js').Logged) => Promise<void>,
 * }} parts
 */
export function createInstead({ findings, arrivals, captures, clicks, pointer, resting, giving, gesture, perform }) {
  /** @typedef {import('./log.js').Logged} Logged */

  /** @param {Logged} logged */
  const isOthers = ({ what }) => arrivals.isHeldBack(what) || arrivals.hasCome(what);
  /** @param {Logged} logged */
  const isCapture = ({ what }) => captures.has(what);
  /** @param {Logged} logged */
  const isNotOfInput = ({ what }) => isMade(what) || isOfList(what) || isPicked(what, gesture());

  /**
   * Tried one after the other, until one has given it.
   * @type {{applies: (logged: Logged) => boolean, note?: string, give: (logged: Logged) => Promise<void>}[]}
   */
  const reasons = [
    { applies: isOthers, give: perform },
    { applies: isCapture, give: giveCapture },
    { applies: isNotOfInput, note: 'dispatched by script, not by input', give: giving.give },
    { applies: resting.isIdleMove, note: 'dispatched by script: the pointer was there already', give: giving.give },
    { applies: clicks.isUncounted, note: 'dispatched by script: this browser counts clicks by the clock, and took it for a single one', give: giving.give },
    { applies: ({ what }) => giving.isOfGivenText(what), note: 'dispatched by script: the text was, too', give: giving.give },
    { applies: resting.isPassed, note: MOVED_BELOW, give: giving.give },
    { applies: ({ what }) => isOfSlider(what, gesture()), note: 'dispatched by script: the slider did not move, or was there already', give: giving.give },
    { applies: ({ what }) => isOfParts(what, gesture()), note: 'dispatched by script: these keys make another date or time here, or none yet', give: giving.give },
    { applies: isUngivenMove, give: doWithout },
  ];

  /** @param {Logged} logged */
  async function giveCapture(logged) {
    captures.give();
    await giving.give(logged);
  }

  /** @param {Logged} logged */
  async function doWithout(logged) {
    pointer.skip(logged);
    findings.note(logged.id, logged.what.type + ' did not come: the pointer was there already');
  }

  return {
    /**
     * Whether the browser does not bring it by itself, or has brought it already: nothing is to be waited for.
     * @param {Logged} logged
     */
    comesNever(logged) {
      return resting.isIdleMove(logged) || clicks.isUncounted(logged) || isNotOfInput(logged) || isCapture(logged) || isOthers(logged) || resting.isSeen(logged);
    },

    /** @param {Logged} logged */
    async give(logged) {
      for (let i = 0; !logged.done && i < reasons.length; i += 1) {
        const { applies, note, give } = reasons[i];
        if (applies(logged)) {
          if (note) {
            findings.note(logged.id, note);
          }
          await give(logged);
        }
      }
    },
  };
}

/**
 * Chromium clicks a list by itself when a key has chosen in its window, also what was chosen before.
 * @param {any} what
 */
function isOfList({ type, data }) {
  return type === 'click' && data?.button === -1 && data.pointer === '';
}

/** @param {import('./log.js').Logged} logged */
function isUngivenMove({ what }) {
  return POINTER_MOVES[/** @type {'mousemove'} */ (what.type)] !== undefined && !what.gesture;
}
