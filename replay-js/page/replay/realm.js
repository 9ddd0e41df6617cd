/** What only replaying needs of a window. */
import { max, parseDecimal } from '../more-natives.js';
import { append, apply, getOwnPropertyDescriptor, getterOf, holderOf, objectTag, slice, uncurry } from '../natives.js';
import { keepOwnSheet } from '../own-sheets.js';
import { createWholeScrolling } from './whole-scrolling.js';

/** The phase of an event whose listeners are those of its own target. */
const AT_TARGET = 2;

/** Inputs whose value is one text, as far as it is typed. */
const OF_TEXT = { __proto__: null, text: 1, search: 1, url: 1, tel: 1, password: 1, email: 1, number: 1 };

/** What is made in a replay alone. Pages put others in the place of these, as polyfills of shadow trees do with all that is about events. */
const MADE = [
  'Event', 'UIEvent', 'ProgressEvent', 'AnimationEvent', 'TransitionEvent', 'MouseEvent', 'PointerEvent', 'DragEvent', 'WheelEvent', 'KeyboardEvent',
  'InputEvent', 'CompositionEvent', 'FocusEvent', 'TextEvent', 'DataTransfer', 'File', 'DOMException',
];

/**
 * @param {import('../natives.js').Realm} realm
 */
export function captureReplayRealm(realm) {
  const { global } = realm;
  const Element = global.Element.prototype;
  const Animation = global.Animation?.prototype;
  const { Uint8Array } = global;
  const sliceBytes = uncurry(Uint8Array.prototype.slice);
  const setBytes = uncurry(Uint8Array.prototype.set);
  const queryAll = uncurry(global.Document.prototype.querySelectorAll);
  const computed = global.getComputedStyle;
  const elementScrollTo = uncurry(Element.scrollTo);
  const scrollIntoView = uncurry(Element.scrollIntoView);
  const toWholePixels = createWholeScrolling(global);
  const windowScrollTo = uncurry(global.scrollTo);
  const setTime = Animation && uncurry(/** @type {any} */ (getOwnPropertyDescriptor(Animation, 'currentTime')?.set));
  const effect = Animation && getterOf(Animation, 'effect');
  const effectSetter = Animation && getOwnPropertyDescriptor(Animation, 'effect')?.set;
  const setEffect = effectSetter && uncurry(effectSetter);
  const timeline = Animation && getterOf(Animation, 'timeline');
  const setTiming = global.AnimationEffect?.prototype.updateTiming && uncurry(global.AnimationEffect.prototype.updateTiming);
  const timing = global.AnimationEffect && uncurry(global.AnimationEffect.prototype.getComputedTiming);
  const adopted = getOwnPropertyDescriptor(global.Document.prototype, 'adoptedStyleSheets');
  const { CSSStyleSheet: StyleSheet, KeyframeEffect } = global;
  const replaceRules = adopted && uncurry(StyleSheet.prototype.replaceSync);
  const checkVisibility = global.Element.prototype.checkVisibility && uncurry(global.Element.prototype.checkVisibility);
  const query = uncurry(global.Document.prototype.querySelector);
  const scrollIntoViewIfNeeded = Element.scrollIntoViewIfNeeded && uncurry(Element.scrollIntoViewIfNeeded);
  const documentHasFocus = uncurry(global.Document.prototype.hasFocus);
  const focus = uncurry(global.HTMLElement.prototype.focus);
  const selectInInput = uncurry(global.HTMLInputElement.prototype.setSelectionRange);
  const selectInArea = uncurry(global.HTMLTextAreaElement.prototype.setSelectionRange);
  const elementFromPoint = uncurry(global.Document.prototype.elementFromPoint);
  const execCommand = uncurry(global.Document.prototype.execCommand);
  const valueSetters = [settersOf(global.HTMLInputElement), settersOf(global.HTMLTextAreaElement), settersOf(global.HTMLSelectElement)];

  /** In a list of their own, which the browser does not change. */
  function adoptedSheets() {
    const now = apply(/** @type {any} */ (adopted).get, global.document, []);
    /** @type {any[]} */
    const all = [];
    for (let i = 0; i < now.length; i += 1) {
      append(all, now[i]);
    }
    return all;
  }

  /**
   * A style sheet of ours.
   * @param {string} rules
   * @returns {() => void} takes it off
   */
  function wear(rules) {
    if (!adopted?.get || !adopted.set) {
      return () => {};
    }
    const { set } = adopted;
    const ours = keepOwnSheet(new StyleSheet());
    replaceRules(ours, rules);
    const all = adoptedSheets();
    append(all, ours);
    apply(set, global.document, [all]);
    return () => {
      const worn = adoptedSheets();
      /** @type {any[]} */
      const others = [];
      for (let i = 0; i < worn.length; i += 1) {
        if (worn[i] !== ours) {
          append(others, worn[i]);
        }
      }
      apply(set, global.document, [others]);
    };
  }

  /** Lays the page out once with rules of ours. @param {string} rules */
  function layOutWith(rules) {
    const takeOff = wear(rules);
    realm.boundingBox(global.document.documentElement);
    takeOff();
  }

  /** @param {any} element */
  const hasFocus = (element) => element.getRootNode().activeElement === element;

  /** @param {any} element */
  const isField = (element) => element.isContentEditable || realm.localName(element) === 'textarea' || realm.localName(element) === 'input';

  const queryAutofocus = () => queryAll(global.document, '[autofocus]');

  /**
   * Selects what is replaced, where a person has put text into a field.
   * @param {any} field
   * @param {{value?: string, data?: string}} entered the value afterwards, or what came in
   * @returns {string} what is put in its place
   */
  function selectReplaced(field, { value, data = '' }) {
    const { selectionStart: start, selectionEnd: end } = field;
    const isAtCaret = value === undefined || (typeof start === 'number' && slice(field.value, 0, start) + data + slice(field.value, end) === value);
    if (!isAtCaret) {
      field.select();
    }
    return isAtCaret ? data : value;
  }

  /** By its name; nothing where the browser has no such. @type {any} */
  const interfaces = { __proto__: null };
  for (let i = 0; i < MADE.length; i += 1) {
    interfaces[MADE[i]] = global[MADE[i]];
  }

  /** What was dispatched last, until all microtasks have run. @type {any} */
  let dispatched;

  return {
    ...realm,
    interfaces,
    dispatched: () => dispatched,
    /**
     * @param {any} target
     * @param {any} event
     */
    dispatchEvent(target, event) {
      dispatched = event;
      realm.nextTurn(() => {
        dispatched = dispatched === event ? undefined : dispatched;
      });
      return realm.dispatchEvent(target, event);
    },
    preventDefault: uncurry(global.Event.prototype.preventDefault),
    defaultPrevented: getterOf(global.Event.prototype, 'defaultPrevented'),
    isConnected: getterOf(global.Node.prototype, 'isConnected'),
    clientX: getterOf(global.MouseEvent.prototype, 'clientX'),
    clientY: getterOf(global.MouseEvent.prototype, 'clientY'),
    lengths: {
      scrollWidth: getterOf(Element, 'scrollWidth'),
      scrollHeight: getterOf(Element, 'scrollHeight'),
      clientWidth: getterOf(Element, 'clientWidth'),
      clientHeight: getterOf(Element, 'clientHeight'),
    },
    computedStyle: (/** @type {any} */ element) => computed(element),
    isGecko: global.mozInnerScreenX !== undefined,
    isWebKit: global.navigator.vendor === 'Apple Computer, Inc.',
    /**
     * Whether style sheets let a part of it that is no element change gradually. An engine that does not know the part tells of the element.
     * @param {any} element
     * @param {string} part
     */
    movesWithin: (element, part) => parseDecimal(computed(element, part).transitionDuration) > 0,
    wear,
    /**
     * What an event came to. To WebKit before Safari 16.4 the `load` of a window is its document's.
     * @param {any} event
     */
    targetOf(event) {
      const at = realm.currentTarget(event);
      const isAtWindow = realm.eventPhase(event) === AT_TARGET && at.window === at;
      return isAtWindow ? at : (realm.composedPath(event)[0] ?? realm.eventTarget(event));
    },
    queryAutofocus,
    /** A field that is to have the focus when the page is first painted, while nobody has it. */
    awaitsFocus: () => queryAutofocus().length > 0 && global.document.activeElement === global.document.body,
    queryLoading: () => queryAll(global.document, '[src], [href]'),
    queryFrames: () => queryAll(global.document, 'iframe, frame, object'),
    /** In which no script of ours may be heard from. One that is lazy may be put off. */
    querySilentFrames: () => queryAll(global.document, 'iframe[srcdoc]:not([loading="lazy" i]), iframe[src][sandbox]:not([sandbox~="allow-scripts" i], [loading="lazy" i])'),
    queryIcons: () => queryAll(global.document, 'link[rel~="icon" i][href], link[rel$="-icon" i][href], link[rel="apple-touch-icon-precomposed" i][href], link[rel~="manifest" i][href]'),
    queryOpenDetails: () => queryAll(global.document, 'details[open]'),
    /**
     * Where the document of an element begins in the viewport of ours, through frames without a network.
     * @param {any} element
     */
    frameOrigin(element) {
      const origin = { x: 0, y: 0 };
      // A window that stands for itself is its own parent.
      for (let view = element.ownerDocument?.defaultView; view && view !== global && view !== view.parent; view = view.parent) {
        const frame = view.frameElement;
        if (frame) {
          const box = realm.boundingBox(frame);
          const style = computed(frame);
          origin.x += box.left + frame.clientLeft + (parseDecimal(style.paddingLeft) || 0);
          origin.y += box.top + frame.clientTop + (parseDecimal(style.paddingTop) || 0);
        }
      }
      return origin;
    },
    /**
     * The innermost one at a point of the viewport, in shadow trees, too.
     * @param {number} x
     * @param {number} y
     */
    elementAt(x, y) {
      let at = elementFromPoint(global.document, x, y);
      for (let inner = at?.shadowRoot?.elementFromPoint(x, y); inner && inner !== at; inner = inner.shadowRoot?.elementFromPoint(x, y)) {
        at = inner;
      }
      return at;
    },
    focus: (/** @type {any} */ element) => focus(element),
    scrollIntoViewIfNeeded,
    isField,
    /** What has the focus, in shadow trees, too; not the page itself. */
    focused() {
      let at = global.document.activeElement;
      while (at?.shadowRoot?.activeElement) {
        at = at.shadowRoot.activeElement;
      }
      return at === global.document.body || at === global.document.documentElement ? null : at;
    },
    hasFocus,
    /** The control whose window of the browser's own is open. Old builds do not say. */
    openPicker() {
      try {
        return query(global.document, ':is(select, input):open');
      } catch {
        return null;
      }
    },
    /** Whether an element could have the focus, as far as styles say. Old builds do not say. */
    isShown: (/** @type {any} */ element) => !checkVisibility || checkVisibility(element, { __proto__: null, visibilityProperty: true }),
    /** The shadow tree that an element stands in, if it does. */
    shadowOf(/** @type {any} */ element) {
      const root = element.getRootNode();
      return root.host ? root : null;
    },
    /**
     * Whether text that comes by the browser's own input goes to a field: dates and the like have parts of their own.
     * @param {any} element
     */
    takesText: (element) => isField(element) && hasFocus(element) && documentHasFocus(global.document) && (realm.localName(element) !== 'input' || OF_TEXT[/** @type {'text'} */ (element.type)] === 1),
    selectReplaced,
    /**
     * Puts text where a person has put it, so that the browser tells of it as it did then.
     * @param {any} field
     * @param {{value?: string, data?: string}} entered
     */
    insertText(field, entered) {
      const text = selectReplaced(field, entered);
      execCommand(global.document, text === '' ? 'delete' : 'insertText', false, text);
    },
    /**
     * @param {any} field
     * @param {number} start
     * @param {number} end
     */
    setSelection(field, start, end) {
      (field.tagName === 'TEXTAREA' ? selectInArea : selectInInput)(field, start, end);
    },
    /**
     * @param {any} element
     * @param {any} how
     */
    scrollIntoView(element, how) {
      scrollIntoView(element, how);
      toWholePixels(element);
    },
    /**
     * @param {any} scrolled
     * @param {number} left
     * @param {number} top
     */
    scrollTo(scrolled, left, top) {
      const options = { __proto__: null, left, top, behavior: 'instant' };
      if (scrolled === global) {
        windowScrollTo(global, options);
      } else {
        elementScrollTo(scrolled, options);
      }
    },
    contains: uncurry(global.Node.prototype.contains),
    partOfBytes: (/** @type {any} */ bytes, /** @type {number} */ from, /** @type {number} */ to) => sliceBytes(bytes, from, to),
    /**
     * @param {any} one
     * @param {any} other
     */
    joinedBytes(one, other) {
      const joined = new Uint8Array(one.length + other.length);
      setBytes(joined, one, 0);
      setBytes(joined, other, one.length);
      return joined;
    },
    getAnimations: global.Document.prototype.getAnimations ? uncurry(global.Document.prototype.getAnimations) : () => [],
    getShadowAnimations: global.ShadowRoot.prototype.getAnimations ? uncurry(global.ShadowRoot.prototype.getAnimations) : () => [],
    pauseAnimation: Animation && uncurry(Animation.pause),
    finishAnimation: Animation && uncurry(Animation.finish),
    setAnimationTime: setTime,
    animationEasing: (/** @type {any} */ animation) => timing(effect(animation)).easing,
    setAnimationEasing: (/** @type {any} */ animation, /** @type {string} */ easing) => setTiming?.(effect(animation), { __proto__: null, easing }),
    /**
     * Takes away what an animation does, and lets it go on as if it did it: nobody is told of an end.
     * @param {any} animation
     * @returns {any} to be put back; nothing where the browser does not let it be taken
     */
    takeEffect(animation) {
      const of = effect(animation);
      if (!setEffect || of === null) {
        return null;
      }
      const { delay, endDelay, duration, fill } = timing(of);
      setEffect(animation, new KeyframeEffect(null, null, { __proto__: null, delay, endDelay, duration, fill }));
      return of;
    },
    setEffect,
    animationTime: Animation && getterOf(Animation, 'currentTime'),
    animationState: Animation && getterOf(Animation, 'playState'),
    animationRate: Animation && getterOf(Animation, 'playbackRate'),
    layOutWith,
    /** Others follow a scroll position, which is the page's own. */
    isTimed: (/** @type {any} */ animation) => timeline(animation) === null || objectTag(timeline(animation)) === '[object DocumentTimeline]',
    /** Milliseconds until it moves; none where it is on its way from the start. */
    animationDelay: (/** @type {any} */ animation) => {
      const of = effect(animation);
      return of === null ? 0 : max(timing(of).delay, 0);
    },
    /** Milliseconds from an animation's start to its end, delays included; infinite where it repeats for ever. */
    animationEnd: (/** @type {any} */ animation) => {
      const of = effect(animation);
      return of === null ? 0 : timing(of).endTime;
    },
    /**
     * Sets a control's value as the browser would: frameworks that put a setter of their own on the element do not hear of it.
     * @param {any} control
     * @param {string} value
     */
    setValue(control, value) {
      for (let i = 0; i < valueSetters.length; i += 1) {
        const { prototype, set } = valueSetters[i];
        if (holderOf(control, 'type')?.holder === prototype) {
          apply(set, control, [value]);
        }
      }
    },
  };
}

/** @typedef {ReturnType<typeof captureReplayRealm>} ReplayRealm */

/** @param {any} Interface */
function settersOf(Interface) {
  return { prototype: Interface.prototype, set: /** @type {any} */ (getOwnPropertyDescriptor(Interface.prototype, 'value')).set };
}
