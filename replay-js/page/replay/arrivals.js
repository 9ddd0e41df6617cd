/**
 * Native events that the page gets when the log says so: load events and whatever else the browser brings by itself.
 * They are stopped at the window and dispatched again when due.
 */
import { dispatchAgain } from './dispatched-again.js';
import { createDueEvents } from './due-events.js';
import { createFramesTakenAway } from './frames-taken-away.js';
import { ROUND, createGiven } from './given.js';
import { createHeldEvents } from './held-events.js';
import { insteadOf, isAnimated, movesFocus, isOfTransition, isPassing, isStream } from './native-events.js';
import { createRested } from './rested.js';

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
 *   opened: import('./opened.js').Opened,
 *   pointer: import('./pointer.js').Pointer,
 *   outOfSight: import('./out-of-sight.js').OutOfSight,
 *   media: import('./media.js').Media,
 *   onTheWay: import('./on-the-way.js').OnTheWay,
 *   oneByOne: import('./one-by-one.js').OneByOne,
 *   synthesise: import('./synthetic.js').Synthesise,
 * }} parts
 */
export function createArrivals(parts) {
  const { realm, log, engine, findings, waiting, targets, readyState, animations, inherited, traversals, dragging, opened, pointer, outOfSight, media, onTheWay } = parts;
  const held = createHeldEvents(realm, log, waiting, targets);
  const { hold, fits } = held;
  outOfSight.keepIn(held);
  const rested = createRested(log);
  const takenAway = createFramesTakenAway(realm, log);
  const given = createGiven({ realm, findings, targets, animations, dragging, media, onTheWay });
  /** The last event that the page listens to. */
  let heard = /** @type {any} */ (null);

  /**
   * @param {string} type
   * @param {any} target
   */
  function extra(type, target) {
    findings.diverged(engine.nearest(), 'event-extra', 'nothing', type + ' on ' + targets.name(target));
  }

  /** The loads of frames that have told the page something, and are still there. */
  async function giveFrames() {
    const loads = takenAway.told();
    for (let i = 0; i < loads.length; i += 1) {
      const { event, target } = loads[i];
      await waiting.turn(() => {
        extra('load', target);
        engine.begin(undefined);
        engine.inside(() => dispatchAgain(realm, event, target));
      });
    }
  }

  const due = createDueEvents(parts, held, rested, given, giveFrames);

  return {
    perform: due.perform,
    stepAhead: due.stepAhead,

    /**
     * Whether a derived event is given by us, and not awaited of the input.
     * @param {any} what
     */
    isHeldBack(what) {
      const { type } = what;
      const streams = isStream(type) && type !== 'pointermove' && type !== 'mousemove' && !isPassing(type);
      return streams || isAnimated(type) || dragging.gives(what);
    },

    /**
     * What has been scrolled by a driver, or by the browser for itself, passes below the pointer before the page is told that it has
     * scrolled, which is when a replay scrolls it. What the page scrolls has an event before it that does.
     * @param {number} id of the last passing
     */
    scrollAhead(id) {
      const last = log.byId(id);
      let next = log.firstAfter(id, () => true);
      while (last && next?.what.type === 'scroll' && !pointer.isPassed(last)) {
        given.scrolledTo(next.what, targets.find(next.what.target).target);
        next = log.firstAfter(next.id, () => true);
      }
    },

    /**
     * It came before the gesture was announced that the log has it behind.
     * @param {any} what
     */
    hasCome: (what) => held.has(what.type, fits(what)),

    /** @param {any} event */
    isHeard(event) {
      heard = event;
    },

    strayed: given.strayed,

    /**
     * A native event to which nobody listens yet.
     * @param {any} event
     * @param {string} type
     * @param {any} target
     */
    unheard(event, type, target) {
      if (event === heard) {
        return;
      }
      if (type === 'popstate') {
        traversals.came();
      }
      if (isAnimated(type)) {
        rested.keep(event, type, target);
      } else if (log.beforeGesture(({ what }) => what.kind === 'dom' && what.type === type && fits(what)(target))) {
        held.holdUnheard(event, type, target);
      }
    },

    /**
     * A native event that no gesture announced.
     * @param {any} event
     * @param {string} type
     * @param {any} target
     */
    unannounced(event, type, target) {
      if (type === 'popstate') {
        traversals.came();
      }
      if (type === 'DOMContentLoaded') {
        opened.parsed();
      }
      if (readyState.native(type, target)) {
        const next = log.next(() => true);
        if (next && readyState.isDue(type, next)) {
          engine.begin(next, event);
          readyState.reached(next.what);
        } else {
          hold(event, type, target);
        }
        return;
      }
      if (isStream(type)) {
        realm.stopImmediatePropagation(event);
        return;
      }
      if (type === ROUND) {
        realm.stopImmediatePropagation(event);
        return;
      }
      if (isOfTransition(type)) {
        inherited.came(event, type, target);
      }
      if (due.isAsked(event, target) || outOfSight.takes(event, type, target)) {
        return;
      }
      const isLogged = (/** @type {import('./log.js').Logged} */ { what }) =>
        what.kind === 'dom' && (what.type === type || what.type === insteadOf(type)) && fits(what)(target);
      // What has the focus, a page has to know before something is pressed: the log's later one is another.
      if (movesFocus(type) ? log.beforePress(isLogged) : log.next(isLogged)) {
        hold(event, type, target);
        return;
      }
      if (isAnimated(type) || ((type === 'focus' || type === 'blur') && target.nodeType !== 1)) {
        // Which window a person works in is the desktop's affair.
        realm.stopImmediatePropagation(event);
        rested.keep(event, type, target);
        return;
      }
      if (type === 'toggle' && opened.expects(target)) {
        realm.stopImmediatePropagation(event);
        return;
      }
      if (log.endsEarly && (type === 'pageshow' || ((type === 'load' || type === 'error') && target.nodeType === 1))) {
        hold(event, type, target);
        return;
      }
      if (takenAway.keep(event, type, target)) {
        realm.stopImmediatePropagation(event);
        return;
      }
      extra(type, target);
      engine.begin(undefined, event);
    },
  };
}

/** @typedef {ReturnType<typeof createArrivals>} Arrivals */
