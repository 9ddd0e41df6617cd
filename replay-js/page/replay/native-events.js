/** What kinds of native events there are, by how sure it is that a browser brings them, and when. */

/** How many there are of these is up to the engine: the log's are given, the browser's own are swallowed. */
const STREAMS = { __proto__: null, scroll: true, scrollend: true, resize: true, selectionchange: true, select: true, progress: true, timeupdate: true, visibilitychange: true, online: true, offline: true, languagechange: true, mousemove: true, pointermove: true, pointerrawupdate: true, mouseover: true, mouseout: true, pointerover: true, pointerout: true, mouseenter: true, mouseleave: true, pointerenter: true, pointerleave: true };

/** Moves of the pointer from one element to another. */
const PASSING = { __proto__: null, mouseover: true, mouseout: true, pointerover: true, pointerout: true, mouseenter: true, mouseleave: true, pointerenter: true, pointerleave: true };

/** The browser brings these however long it takes. */
const CERTAIN = { __proto__: null, readystatechange: true, DOMContentLoaded: true, load: true, pageshow: true, error: true };

/** Failure and success of one thing: the log's is awaited, the other may come. */
const INSTEAD = { __proto__: null, load: 'error', error: 'load' };

/** When these come is up to the animation's clock, which is ours: the log's are brought about, others are swallowed. */
const ANIMATED = { __proto__: null, animationstart: true, animationiteration: true, animationend: true, animationcancel: true, transitionrun: true, transitionstart: true, transitionend: true, transitioncancel: true, beginEvent: true, endEvent: true, repeatEvent: true };

/** Of these, what transitions bring. */
const OF_TRANSITIONS = { __proto__: null, transitionrun: true, transitionstart: true, transitionend: true, transitioncancel: true };

/** The focus comes to an element, or leaves it. */
const OF_FOCUS = { __proto__: null, focus: true, blur: true, focusin: true, focusout: true };

/** @param {string} type */
export const isStream = (type) => STREAMS[/** @type {'scroll'} */ (type)] === true;

/** @param {string} type */
export const isPassing = (type) => PASSING[/** @type {'mouseover'} */ (type)] === true;

/** @param {string} type */
export const isCertain = (type) => CERTAIN[/** @type {'load'} */ (type)] === true;

/** @param {string} type */
export const insteadOf = (type) => INSTEAD[/** @type {'load'} */ (type)];

/** @param {string} type */
export const isAnimated = (type) => ANIMATED[/** @type {'animationend'} */ (type)] === true;

/** @param {string} type */
export const isOfTransition = (type) => OF_TRANSITIONS[/** @type {'transitionend'} */ (type)] === true;

/** @param {string} type */
export const movesFocus = (type) => OF_FOCUS[/** @type {'focus'} */ (type)] === true;

/** @param {string} type */
export const tellsOfEnd = (type) => type === 'transitionend' || type === 'animationend';

/** @param {string} type */
export const tellsOfCut = (type) => type === 'transitioncancel' || type === 'animationcancel';

/** @param {string} type */
export const isOfHistory = (type) => type === 'popstate' || type === 'hashchange';
