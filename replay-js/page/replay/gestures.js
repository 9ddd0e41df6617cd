/**
 * Gestures are made by the browser's own input. The driver says which one comes; the events it brings become the
 * logged ones, so that each has its own local object.
 */
import { append } from '../natives.js';
import { createAiming } from './aiming.js';
import { createAstray } from './astray.js';
import { createCaptures } from './captures.js';
import { createClicks } from './clicks.js';
import { createEntering } from './entering.js';
import { createFields } from './fields.js';
import { createGiving } from './giving.js';
import { createInstead, POINTER_MOVES } from './instead.js';
import { createLeaving } from './leaving.js';
import { LINES_TURNED, turnAsLogged } from './notches.js';
import { isPassing, isStream, movesFocus } from './native-events.js';
import { MOVED_BELOW } from './pointer.js';
import { createResting } from './resting.js';
import { createSliders, isOfSlider } from './sliders.js';
import { createTurning } from './turning.js';
import { createVeil } from './veil.js';

/** What came of an input that was given is there after two frames; slower means not at all. */
const SETTLE_MS = 1_000;

/** Never kept for later: what follows them is the browser's default action. */
const IMMEDIATE = {
  __proto__: null,
  pointerdown: 1, pointerup: 1, pointercancel: 1, mousedown: 1, mouseup: 1, click: 1, auxclick: 1, dblclick: 1, contextmenu: 1,
  keydown: 1, keyup: 1, keypress: 1, beforeinput: 1, textInput: 1, input: 1, submit: 1, reset: 1, invalid: 1, wheel: 1,
  touchstart: 1, touchend: 1, touchmove: 1, touchcancel: 1, paste: 1, copy: 1, cut: 1,
  dragstart: 1, drag: 1, dragenter: 1, dragover: 1, dragleave: 1, drop: 1, dragend: 1,
  compositionstart: 1, compositionupdate: 1, compositionend: 1, beforeunload: 1, selectstart: 1,
};

const MODIFIERS = { __proto__: null, Alt: 1, Control: 1, Meta: 1, Shift: 1 };

/** Told to one element after the other, to each by itself: which of them an engine tells that nobody listens at is its own affair. */
const TOLD_TO_EACH = { __proto__: null, pointerenter: true, pointerleave: true, mouseenter: true, mouseleave: true };

/**
 * @param {{
 *   realm: import('./realm.js').ReplayRealm,
 *   log: import('./log.js').Log,
 *   engine: import('./engine.js').ReplayEngine,
 *   findings: import('./findings.js').Findings,
 *   waiting: import('./waiting.js').Waiting,
 *   arrivals: import('./arrivals.js').Arrivals,
 *   targets: import('./targets.js').Targets,
 *   away: import('./away.js').Away,
 *   outOfSight: import('./out-of-sight.js').OutOfSight,
 *   animations: import('./animations.js').Animations,
 *   dragging: import('./dragging.js').Dragging,
 *   pointer: import('./pointer.js').Pointer,
 *   synthesise: import('./synthetic.js').Synthesise,
 *   scrolls: import('./scrolls.js').Scrolls,
 *   onTheWay: import('./on-the-way.js').OnTheWay,
 *   pickers: ReturnType<typeof import('./pickers.js').createPickers>,
 *   validation: ReturnType<typeof import('./validation.js').createValidation>,
 *   perform: (logged: import('./log.js').Logged) => Promise<void>,
 * }} parts
 */
export function createGestures({ realm, log, engine, findings, waiting, arrivals, targets, away, outOfSight, animations, dragging, pointer, synthesise, scrolls, onTheWay, pickers, validation, perform }) {
  const aim = createAiming(realm);
  const astray = createAstray(realm, findings, targets);
  const scrolling = createTurning(realm, waiting);
  const sliders = createSliders(realm, findings);
  const veil = createVeil(realm, log);
  const isToldOfLeaving = createLeaving(log, engine, waiting, targets);
  const clicks = createClicks(realm);
  const fields = createFields(realm, targets);
  /** @type {import('./log.js').Logged[]} */
  let announced = [];
  /** @type {number[]} */
  let asked = [];
  const giving = createGiving({ realm, log, engine, findings, waiting, targets, pointer, synthesise });
  const resting = createResting(pointer, () => announced);
  const captures = createCaptures(targets);
  const entering = createEntering({ realm, log, engine, findings, waiting, targets, away, announced: () => announced, give: giving.give });
  const instead = createInstead({ findings, arrivals, captures, clicks, pointer, resting, giving, gesture: () => log.gestureOf(asked), perform });

  /** The wheel that is being turned. */
  let turning = /** @type {{logged: import('./log.js').Logged, event: any, native: any} | null} */ (null);

  engine.onDom((event, _describe, _gesture) => {
    const type = realm.eventType(event);
    if (outOfSight.isUntold()) {
      realm.stopImmediatePropagation(event);
      return;
    }
    if (engine.nested(event)) {
      if (away.isUntold(event, type, realm.targetOf(event))) {
        realm.stopImmediatePropagation(event);
      }
      return;
    }
    arrivals.isHeard(event);
    const target = realm.targetOf(event);
    if (isToldOfLeaving(event, type, target)) {
      return;
    }
    if (type === LINES_TURNED && turning) {
      turnAsLogged(turning.logged, event, type);
      engine.place.lay(turning.event, event);
      return;
    }
    if (entering.isHeralded(type) || captures.isGivenAlready(event, type)) {
      realm.stopImmediatePropagation(event);
      return;
    }
    const ofRemoval = pointer.leavesForItself(event, type, target);
    const expected = ofRemoval || (resting.isResting() && isPassing(type)) ? undefined : nextAnnounced(type, target, event.key);
    if (type === 'pointermove' || type === 'mousemove') {
      resting.moved(event, target);
    }
    if (isStream(type) && !POINTER_MOVES[/** @type {'mousemove'} */ (type)]) {
      // The log's are given when the input has settled.
      realm.stopImmediatePropagation(event);
      if (type === 'scroll') {
        onTheWay.scrolled();
        scrolls.came(event, target);
      }
    } else if (expected) {
      clicks.countAsLogged(expected, event);
      pointer.passAsLogged(expected, event);
      turnAsLogged(expected, event, type);
      const begun = engine.begin(expected, event);
      animations.catchSizes();
      turning = type === 'wheel' ? { logged: expected, event: begun, native: event } : turning;
      const isThere = targets.is(expected.what.target, target);
      if (isThere && isOfSlider(expected.what, log.gestureOf(asked))) {
        sliders.moveAsLogged(expected, target);
      }
      const wanted = isThere || type !== 'keydown' ? null : targets.find(expected.what.target).target;
      if (type === 'keydown') {
        arrivals.strayed(wanted);
      }
      if (astray.lacksFocus(wanted)) {
        // What the key does is done to what has it instead.
        findings.diverged(expected.id, 'target-elsewhere', targets.describe(expected.what.target), targets.name(target));
      } else if (!isThere) {
        findings.note(expected.id, 'came to ' + targets.name(target) + ' instead of ' + targets.describe(expected.what.target));
      }
      waiting.changed();
    } else if (log.gestureOf(asked)?.type !== 'keydown' && sliders.isOnTheWay(type, target)) {
      realm.stopImmediatePropagation(event);
    } else if (POINTER_MOVES[/** @type {'mousemove'} */ (type)]) {
      // Where the page has moved below the pointer, each browser sees it in its own time: the log's are given by script.
      realm.stopImmediatePropagation(event);
      waiting.changed();
    } else if (MODIFIERS[/** @type {'Shift'} */ (event.key)] && (type === 'keydown' || type === 'keyup')) {
      // Held for another stroke alone, and heard by nobody when it was recorded.
      realm.stopImmediatePropagation(event);
    } else if (type === 'change' && _gesture) {
      const chosen = chosenByKey(target);
      if (chosen) {
        engine.begin(chosen, event);
      } else {
        // The log's are given by script.
        realm.stopImmediatePropagation(event);
      }
    } else if (IMMEDIATE[/** @type {'click'} */ (type)] || (type === 'change' && astray.isAt(target))) {
      // While a button is held, the browser begins to select as it is told once more where the pointer is.
      const isOfPlace = type === 'selectstart' && (resting.isResting() || nextAnnounced('pointerup', target) !== undefined);
      if (!_gesture && !isOfPlace && !astray.isAt(target)) {
        findings.diverged(engine.nearest(), 'event-extra', 'nothing', type + ' on ' + targets.name(target));
      }
      engine.begin(undefined, event);
    } else {
      arrivals.unannounced(event, type, target);
    }
  });

  engine.onAwaited((type) => {
    for (let i = 0; i < announced.length; i += 1) {
      if (!announced[i].done && announced[i].what.type === type) {
        return true;
      }
    }
    return false;
  });

  /**
   * The announced event this one is: of its type, of its target rather than of another, unless that one is told itself. A modifier that is
   * held for another key's stroke is not that key.
   * @param {string} type
   * @param {any} target
   * @param {string} [key]
   */
  function nextAnnounced(type, target, key) {
    const isHeld = MODIFIERS[/** @type {'Shift'} */ (key)] === 1;
    let other;
    for (let i = 0; i < announced.length; i += 1) {
      const logged = announced[i];
      if (!logged.done && logged.what.type === type && (!isHeld || logged.what.data?.key === key)) {
        if (targets.is(logged.what.target, target)) {
          return logged;
        }
        const isTold = TOLD_TO_EACH[/** @type {'mouseleave'} */ (type)] && targets.find(logged.what.target).target;
        // That a window or a document has the focus is not that something in it has.
        const isAround = movesFocus(type) && (logged.what.target.object === 'node') !== (target.nodeType === 1);
        other ??= isTold || isAround ? undefined : logged;
      }
    }
    return other;
  }

  /**
   * What is chosen in a window of the browser's own is given by script; but keys choose, too, and then it has come.
   * @param {any} target
   */
  function chosenByKey(target) {
    const logged = log.nextDom('change', (located) => targets.is(located, target));
    return logged?.what.gesture && logged.what.data?.value === target.value ? logged : undefined;
  }

  return {
    /**
     * @param {number[]} ids
     * @param {boolean} [rests] the pointer stays where it is
     */
    async announce(ids, rests = false) {
      outOfSight.look();
      resting.begin(rests);
      announced = log.deferredBefore(ids[0]);
      asked = ids;
      clicks.begin();
      turning = null;
      let gesture;
      for (let i = 0; i < ids.length; i += 1) {
        const logged = log.byId(ids[i]);
        if (logged) {
          append(announced, logged);
          gesture ??= logged.what.gesture ? logged.what : undefined;
        }
      }
      if (!gesture) {
        arrivals.scrollAhead(ids[ids.length - 1]);
      }
      dragging.announce(gesture);
      onTheWay.comes(gesture);
      if (gesture && gesture.type !== 'keydown' && gesture.type !== 'keyup') {
        arrivals.strayed(null);
      }
      await givePassed();
      fields.prepare(gesture);
      sliders.begin(gesture && gesture.type !== 'keydown' ? targets.find(gesture.target).target : null);
      if (gesture?.type === 'wheel') {
        await scrolling.announce(targets.find(gesture.target).target, gesture.data);
      }
    },

    /** Waits until everything announced has come, or will not. */
    async settle() {
      const all = () => {
        for (let i = 0; i < announced.length; i += 1) {
          if (!announced[i].done && !instead.comesNever(announced[i])) {
            return false;
          }
        }
        return dragging.isOver() && validation.isOver();
      };
      await waiting.turn(() => {});
      await waiting.until(all, SETTLE_MS);
      await scrolling.settle(() => turning?.native.defaultPrevented === true);
      await waiting.turn(() => {});
      for (let i = 0; i < announced.length; i += 1) {
        const logged = announced[i];
        await instead.give(logged);
        if (!logged.done) {
          logged.done = true;
          findings.diverged(logged.id, 'event-missing', logged.what.type + ' on ' + targets.describe(logged.what.target), 'nothing');
        }
      }
      announced = [];
      resting.end();
      veil.lift();
      return asked;
    },

    /**
     * Where to point for a gesture.
     * @param {number} id
     * @param {number[]} ids of all that comes of the same input
     */
    aim(id, ids) {
      const logged = /** @type {import('./log.js').Logged} */ (log.byId(id));
      const { what } = logged;
      const data = what.data ?? {};
      const { target, notes } = targets.find(what.target);
      if (!target) {
        return { found: astray.isTaken(logged, notes), x: data.x ?? 0, y: data.y ?? 0, notes };
      }
      astray.none();
      if (target.nodeType !== 1 || data.rx === undefined) {
        return { found: true, x: data.x ?? 0, y: data.y ?? 0, picker: pickers.isOpen(what), notes };
      }
      veil.lay(logged, target);
      const at = aim.at(target, firstMeasured(what, target, ids), notes);
      if (aim.isLed()) {
        veil.keepSelection();
      }
      resting.aimAt(at);
      return { found: true, ...at, notes };
    },

    entry: entering.entry,
    insert: entering.insert,

    /**
     * The synthetic fall-back.
     * @param {number} id
     */
    async dispatch(id) {
      const logged = /** @type {import('./log.js').Logged} */ (log.byId(id));
      if (logged.done) {
        return;
      }
      if (!logged.what.data?.scripted) {
        findings.note(id, 'dispatched by script, not by input');
      }
      // What a list tells of a choice before it has changed.
      for (let i = 0; i < announced.length; i += 1) {
        if (logged.what.type === 'change' && announced[i].what.type === 'input' && !announced[i].done && announced[i].id < id) {
          await giving.give(announced[i]);
        }
      }
      veil.lift();
      await giving.give(logged);
    },
  };

  /**
   * The gesture, by the box that its element had before the page did anything about this input: what a passing tells makes
   * the page grow, say, and the move that follows it was measured then.
   * @param {any} what
   * @param {any} target
   * @param {number[]} ids
   */
  function firstMeasured(what, target, ids) {
    for (let i = 0; i < ids.length; i += 1) {
      const other = log.byId(ids[i])?.what;
      const isThere = other?.data?.rx !== undefined && other.data.x === what.data.x && other.data.y === what.data.y;
      if (isThere && targets.is(other.target, target)) {
        return { ...what, data: { ...what.data, rx: other.data.rx, ry: other.data.ry } };
      }
    }
    return what;
  }

  /** Of what is announced, what the browser has seen before it was: that was before whatever the input brings. */
  async function givePassed() {
    for (let i = 0; i < announced.length && !announced[i].what.gesture; i += 1) {
      if (!announced[i].done && resting.isPassed(announced[i]) && pointer.isKnown()) {
        findings.note(announced[i].id, MOVED_BELOW);
        await giving.give(announced[i]);
      }
    }
  }
}

/** @typedef {ReturnType<typeof createGestures>} Gestures */
