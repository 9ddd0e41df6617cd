/**
 * The log's event is due: the native one that waits for it is dispatched again. Some the browser does not bring here, or may
 * not; for these another stands in, if none has come with the next frames.
 */
import { messageIn } from '../sources/hosts.js';
import { dispatchAgain } from './dispatched-again.js';
import { isOfFocus, isOfWindow } from './elsewhere.js';
import { isOfLink } from './followed.js';
import { ROUND } from './given.js';
import { isMade, setLoggedValue } from './made.js';
import { isAct } from './log.js';
import { isMadeAddress } from './made-addresses.js';
import { isOfDrawing } from './moving-drawings.js';
import { insteadOf, isAnimated, isCertain, isOfHistory, isOfTransition, isPassing, isStream, tellsOfCut, tellsOfEnd } from './native-events.js';
import { MOVED_BELOW } from './pointer.js';
import { isOf } from './rested.js';
import { createToldOfTransition } from './told-of-transition.js';

/** After so many of one type in a row that have been waited for in vain, the next ones come soon, or not at all. */
const TOO_OFTEN = 2;
const UNLIKELY_MS = 1_000;

/** What is on its way mostly comes within so long. */
const MOSTLY_MS = 100;

/** @typedef {(isIt?: (event: any) => boolean) => boolean} HasCome whether the native event has, and the very one */
/** @typedef {null | undefined | false | (() => void)} StandIn dispatches it */

/**
 * @param {{
 *   realm: import('./realm.js').ReplayRealm,
 *   log: import('./log.js').Log,
 *   engine: import('./engine.js').ReplayEngine,
 *   findings: import('./findings.js').Findings,
 *   waiting: import('./waiting.js').Waiting,
 *   targets: import('./targets.js').Targets,
 *   loading: import('./loading.js').Loading,
 *   parsing: import('./parsing.js').Parsing,
 *   readyState: import('./ready-state.js').ReadyState,
 *   animations: import('./animations.js').Animations,
 *   inherited: import('./inherited.js').Inherited,
 *   restyled: import('./restyled.js').Restyled,
 *   traversals: import('./traversals.js').Traversals,
 *   dragging: import('./dragging.js').Dragging,
 *   oneByOne: import('./one-by-one.js').OneByOne,
 *   pointer: import('./pointer.js').Pointer,
 *   synthesise: import('./synthetic.js').Synthesise,
 * }} parts
 * @param {import('./held-events.js').HeldEvents} held
 * @param {import('./rested.js').Rested} rested
 * @param {import('./given.js').Given} given
 * @param {() => Promise<void>} giveFrames the loads of those that a message came from
 */
export function createDueEvents({ realm, log, engine, findings, waiting, targets, loading, parsing, readyState, animations, inherited, restyled, traversals, dragging, oneByOne, pointer, synthesise }, held, rested, given, giveFrames) {
  const toldOfTransition = createToldOfTransition(realm, log);
  /** How many of each type have not come, one after the other. @type {any} */
  const inVain = { __proto__: null };
  /** The end of a movement that the browser has been asked for. @type {{logged: import('./log.js').Logged, isIt: (event: any, target: any) => boolean} | null} */
  let asked = null;

  /** @param {any} what */
  const targetOf = (what) => targets.find(what.target).target;

  /**
   * Of the pointer, over what has moved below it; other passings come with its next move.
   * @param {import('./log.js').Logged} logged
   * @param {(run: () => void) => Promise<void>} runIn
   */
  async function pass(logged, runIn) {
    if (!pointer.isPassed(logged)) {
      return;
    }
    await waiting.nextFrames(() => pointer.isKnown());
    logged.deferred = false;
    const target = targetOf(logged.what);
    findings.note(logged.id, MOVED_BELOW);
    await runIn(() => realm.dispatchEvent(target, synthesise(logged.what, target, pointer.otherOf(logged))));
  }

  /**
   * Where no gesture has led to it: files come later than the click that asked for them, by the window in which they are chosen.
   * @param {import('./log.js').Logged} logged
   * @param {(run: () => void) => Promise<void>} runIn
   */
  async function make(logged, runIn) {
    const target = targetOf(logged.what);
    if (!target) {
      findings.diverged(logged.id, 'target-missing', targets.describe(logged.what.target), 'nothing');
      return;
    }
    findings.note(logged.id, 'dispatched by script, not by input');
    await runIn(() => {
      setLoggedValue({ realm, log, targets }, logged, target);
      realm.dispatchEvent(target, synthesise(logged.what, target));
    });
  }

  /**
   * What brings the native event about, where that is up to us.
   * @param {import('./log.js').Logged} logged
   * @param {HasCome} hasCome
   */
  function bringAbout(logged, hasCome) {
    const { what } = logged;
    const { type, data } = what;
    if (tellsOfEnd(type)) {
      animations.finish(targetOf(what), data?.animation);
    }
    if (isOfHistory(type) && !hasCome() && traversals.isNeeded(data?.url) && !isOfLink(log, (of) => targets.find(of).target, logged)) {
      traversals.make(data.url);
    }
  }

  /**
   * A step that a person took by the browser's buttons is told of by `navigation` before its own event comes, if somebody hears that.
   * @param {import('./log.js').Logged} asked
   * @param {HasCome} hasCome
   */
  async function stepAhead(asked, hasCome) {
    const { event, data } = asked.what;
    const next = log.firstAfter(asked.id, ({ what }) => isAct(what) || isOfHistory(what.type) || what.event === event);
    if (next && isOfHistory(next.what.type)) {
      bringAbout(next, hasCome);
    } else if (data && traversals.isBehind(data) && (await isAwaitedInVain(hasCome))) {
      traversals.make(data);
    }
  }

  /** Whether it has not come with the next frames. @param {() => boolean} hasCome */
  async function isAwaitedInVain(hasCome) {
    await waiting.nextFrames(hasCome);
    return !hasCome();
  }

  /**
   * To whom an event comes that no driver brings: of a window that comes or goes, and of drawings, which tell that they have loaded
   * with the document, and only those that are in it by then.
   * @param {any} what
   */
  function givenHere(what) {
    const { type } = what;
    if (type !== 'load' && !isOfFocus(type)) {
      return null;
    }
    const target = targetOf(what);
    const isDrawing = type === 'load' && target?.localName === 'svg';
    return isDrawing || isOfWindow(realm, type, target) ? target : null;
  }

  /** @type {((what: any, hasCome: HasCome, isExactly: (event: any) => boolean) => Promise<StandIn>)[]} */
  const standIns = [
    async (what, hasCome) => {
      if (!isOfDrawing(what.type)) {
        return null;
      }
      const motion = targetOf(what);
      const untold = await animations.come(what.type, motion, (isThere) => waiting.nextFrames(isThere), () => {
        recall(what, hasCome);
        return hasCome();
      });
      return untold && (() => realm.dispatchEvent(motion, untold));
    },
    async (what, hasCome, isExactly) => {
      const again = isOfTransition(what.type) && inherited.again(what);
      return again && await isAwaitedInVain(() => hasCome(isExactly)) && (() => dispatchAgain(realm, again, realm.eventTarget(again)));
    },
    async (what, hasCome, isExactly) => {
      if (!tellsOfCut(what.type) && !tellsOfEnd(what.type)) {
        return null;
      }
      const moved = targetOf(what) ?? animations.takenOut((element) => targets.isApart(what.target, element));
      const over = animations.isOver(moved, what);
      return over && await isAwaitedInVain(() => hasCome(isExactly)) && (() => realm.dispatchEvent(moved, over));
    },
    async (what, hasCome) => {
      // Whether it is still there is asked when it is time.
      const at = givenHere(what) && await isAwaitedInVain(hasCome) && givenHere(what);
      return at && (() => realm.dispatchEvent(at, synthesise(what, at)));
    },
    async (what, hasCome, isExactly) => {
      const moved = isOfTransition(what.type) && restyled.isMovedBySheet() && await isAwaitedInVain(() => hasCome(isExactly)) && restyled.event(what);
      return moved && (() => realm.dispatchEvent(targetOf(what), moved));
    },
  ];

  /**
   * What moves has come to where the log says, be it that nobody listened then.
   * @param {any} what
   * @param {HasCome} hasCome
   */
  function recall(what, hasCome) {
    const kept = hasCome() ? undefined : rested.recall(what, held.fits(what));
    if (kept) {
      held.add(kept);
    }
  }

  /**
   * Whether it tells of something that nobody loads here.
   * @param {any} what
   * @param {HasCome} hasCome
   */
  async function isLost({ type, data }, hasCome) {
    const address = data?.src;
    if (!isCertain(type) || typeof address !== 'string' || isMadeAddress(address)) {
      return false;
    }
    return !(await waiting.until(hasCome, MOSTLY_MS)) && parsing.isFinished() && loading.isNobodys(address);
  }

  /**
   * @param {import('./log.js').Logged} logged
   * @param {number} patience
   * @param {number} longPatience
   * @param {(run: () => void) => Promise<void>} runIn
   * @returns {Promise<string | undefined>} what came instead of the event, when it did not
   */
  async function dispatch(logged, patience, longPatience, runIn) {
    const { id, what } = logged;
    const { type } = what;
    const isTarget = held.fits(what);
    // Several things move of one element, and come to rest here all at once.
    const isExactly = isOf(what.data);
    const said = what.data?.message;
    if (said) {
      await held.bringForward(type, isTarget, said, patience);
    }
    const instead = insteadOf(type);
    const hasCome = () => logged.done || held.has(type, isTarget) || (instead !== undefined && held.has(instead, isTarget));
    const isUnlikely = (inVain[type] ?? 0) >= TOO_OFTEN;
    if ((isOfTransition(type) && !tellsOfEnd(type)) || (isUnlikely && !isCertain(type))) {
      // A movement that begins, or is cut off, is told of with the next frame, or was within one, of which engines tell or not.
      await waiting.nextFrames(hasCome);
    } else if (!(await isLost(what, hasCome))) {
      await waiting.until(hasCome, isCertain(type) && !isUnlikely ? longPatience : isUnlikely ? UNLIKELY_MS : patience);
    }
    inVain[type] = hasCome() ? 0 : (inVain[type] ?? 0) + 1;
    if (logged.done) {
      // Those who listen are told after this, and then do what they left to microtasks.
      await waiting.turn(() => {});
      return undefined;
    }
    if (held.has(type, isTarget)) {
      await waiting.nextFrames(() => held.has(type, isTarget, isExactly));
    }
    const arrival = held.take(type, isTarget, isExactly) ?? held.take(type, isTarget) ?? (instead && held.take(instead, isTarget));
    readyState.reached(what);
    if (!arrival) {
      return 'nothing';
    }
    const heardHere = said && messageIn(arrival.event, type);
    if (heardHere !== said) {
      findings.diverged(id, 'message-differs', 'window ' + said, 'window ' + heardHere);
    }
    await runIn(() => {
      given.scrolledTo(what);
      oneByOne.dispatchAgain(arrival.event, arrival.target);
    });
    if (type === 'message') {
      await giveFrames();
    }
    return arrival.type === type ? undefined : arrival.type;
  }

  return {
    stepAhead,
    /**
     * A native event that tells of an end: whether it is the one that has been asked for, which goes on to the page.
     * @param {any} event
     * @param {any} target
     */
    isAsked(event, target) {
      if (!asked || asked.logged.done || realm.eventType(event) !== asked.logged.what.type || !asked.isIt(event, target)) {
        return false;
      }
      engine.begin(asked.logged, event);
      waiting.changed();
      return true;
    },

    /**
     * @param {import('./log.js').Logged} logged
     * @param {number} patience
     * @param {number} longPatience
     * @param {(run: () => void) => Promise<void>} runIn
     * @returns {Promise<string | undefined>} what came instead of the event, when it did not
     */
    async perform(logged, patience, longPatience, runIn) {
      const { what } = logged;
      const { type } = what;
      if (isPassing(type) && log.defer(logged)) {
        await pass(logged, runIn);
        return undefined;
      }
      if (isStream(type)) {
        await given.performStream(logged, runIn);
        return undefined;
      }
      if (dragging.gives(what)) {
        await given.lead(logged, runIn);
        return undefined;
      }
      if (isMade(what)) {
        await make(logged, runIn);
        return undefined;
      }
      if (type === ROUND) {
        return await given.comeRound(what, runIn);
      }
      const moved = toldOfTransition(logged);
      if (moved) {
        await runIn(() => realm.dispatchEvent(targetOf(what), moved));
        return undefined;
      }
      const isTarget = held.fits(what);
      const hasCome = (/** @type {((event: any) => boolean) | undefined} */ isIt = undefined) => logged.done || held.has(type, isTarget, isIt);
      const isExactly = isOf(what.data);
      bringAbout(logged, hasCome);
      if (isAnimated(type)) {
        recall(what, hasCome);
      }
      asked = tellsOfEnd(type) && !hasCome() ? { logged, isIt: (event, target) => isTarget(target) && isExactly(event) } : null;
      for (let i = 0; i < standIns.length; i += 1) {
        const standIn = await standIns[i](what, hasCome, isExactly);
        if (standIn) {
          await runIn(standIn);
          return undefined;
        }
      }
      return await dispatch(logged, patience, longPatience, runIn);
    },
  };
}
