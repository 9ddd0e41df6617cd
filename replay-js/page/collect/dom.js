// What collecting reads, captured before the page's first script (see `captureNodes`). Language built-ins are captured
// too: pages replace `Map`, `Array.prototype.sort` or `getComputedStyle`, and a collector that goes through them would
// measure the page's patch. Arrays are indexed and counted by hand for the same reason; `for…of` and spreading are not.
import { newPromise } from '../more-natives.js';
import { getterOf, join, newMap, newWeakMap, objectTag, round, then, uncurry } from '../natives.js';
import { captureMembers, captureMoreNodes } from '../target/more-nodes.js';

/** @typedef {ReturnType<typeof captureDom>} Dom */

/** @param {any} global */
export function captureDom(global) {
  const { method, getter } = captureMembers(global);
  const matchMedia = uncurry(global.matchMedia);
  const matches = getter('MediaQueryList', 'matches');
  const readWindow = {
    innerWidth: getterOf(global, 'innerWidth'),
    innerHeight: getterOf(global, 'innerHeight'),
    pixelRatio: getterOf(global, 'devicePixelRatio'),
  };
  return {
    ...captureMoreNodes(global),
    round,
    /** Blink and WebKit lay out in 1/64 px, Gecko in 1/60: the finest step that is not an artefact of a float. @param {number} px */
    step: px => round(px * 64) / 64 + 0,
    makeMap: newMap,
    makeWeakMap: newWeakMap,
    mapGet: (/** @type {any} */ map, /** @type {any} */ key) => map.get(key),
    mapSet: (/** @type {any} */ map, /** @type {any} */ key, /** @type {any} */ value) => map.set(key, value),
    mapHas: (/** @type {any} */ map, /** @type {any} */ key) => map.has(key),
    mapEach: (/** @type {any} */ map, /** @type {any} */ run) => map.forEach(run),
    /** @type {(begin: (done: () => void) => void) => Promise<void>} */
    makePromise: begin => new newPromise(begin),
    then,
    sort: uncurry(Array.prototype.sort),
    join,

    namespace: getter('Element', 'namespaceURI'),
    attributeNames: method('Element', 'getAttributeNames'),
    htmlStyle: getter('HTMLElement', 'style'),
    innerText: getter('HTMLElement', 'innerText'),
    svgStyle: getter('SVGElement', 'style'),
    matches: method('Element', 'matches'),
    assignedNodes: method('HTMLSlotElement', 'assignedNodes'),
    box: method('Element', 'getBoundingClientRect'),
    rectX: getter('DOMRectReadOnly', 'x'),
    rectY: getter('DOMRectReadOnly', 'y'),
    rectWidth: getter('DOMRectReadOnly', 'width'),
    rectHeight: getter('DOMRectReadOnly', 'height'),
    rectCount: getter('DOMRectList', 'length'),
    clientLeft: getter('Element', 'clientLeft'),
    clientTop: getter('Element', 'clientTop'),
    clientWidth: getter('Element', 'clientWidth'),
    clientHeight: getter('Element', 'clientHeight'),
    scrollLeft: getter('Element', 'scrollLeft'),
    scrollTop: getter('Element', 'scrollTop'),
    scrollWidth: getter('Element', 'scrollWidth'),
    scrollHeight: getter('Element', 'scrollHeight'),
    createRange: method('Document', 'createRange'),
    selectContents: method('Range', 'selectNodeContents'),
    rangeBoxes: method('Range', 'getClientRects'),
    rangeTouches: method('Range', 'intersectsNode'),
    rangeIsEmpty: getter('Range', 'collapsed'),
    rangeStart: method('Range', 'setStart'),
    rangeEnd: method('Range', 'setEnd'),
    selection: method('Document', 'getSelection'),
    selectedCount: getter('Selection', 'rangeCount'),
    selectedRange: method('Selection', 'getRangeAt'),
    composedRanges: method('Selection', 'getComposedRanges'),

    computedStyle: global.getComputedStyle.bind(global),
    styleValue: method('CSSStyleDeclaration', 'getPropertyValue'),

    rootElement: getter('Document', 'documentElement'),
    body: getter('Document', 'body'),
    scrollingElement: getter('Document', 'scrollingElement'),
    activeElement: getter('Document', 'activeElement'),
    shadowActiveElement: getter('ShadowRoot', 'activeElement'),
    compatMode: getter('Document', 'compatMode'),
    url: getter('Document', 'URL'),
    title: getter('Document', 'title'),
    documentSheets: getter('Document', 'styleSheets'),
    shadowSheets: getter('ShadowRoot', 'styleSheets'),
    shadowHost: getter('ShadowRoot', 'host'),
    documentAdopted: getter('Document', 'adoptedStyleSheets'),
    shadowAdopted: getter('ShadowRoot', 'adoptedStyleSheets'),
    animations: method('Document', 'getAnimations'),
    shadowAnimations: method('ShadowRoot', 'getAnimations'),
    animationEffect: getter('Animation', 'effect'),
    effectTarget: getter('KeyframeEffect', 'target'),
    motionTarget: getter('SVGAnimationElement', 'targetElement'),
    innerWidth: () => readWindow.innerWidth(global),
    innerHeight: () => readWindow.innerHeight(global),
    pixelRatio: () => readWindow.pixelRatio(global),
    /** Where `zoom` is not yet the standard's, boxes are told as if what they belong to was not zoomed. */
    zoomed: 'currentCSSZoom' in global.Element.prototype,
    mediaMatches: (/** @type {string} */ query) => matches(matchMedia(global, query)),
    kindOf: objectTag,

    sheetHref: getter('StyleSheet', 'href'),
    sheetOwner: getter('StyleSheet', 'ownerNode'),
    sheetDisabled: getter('StyleSheet', 'disabled'),
    sheetMedia: getter('StyleSheet', 'media'),
    sheetRules: getter('CSSStyleSheet', 'cssRules'),
    mediaText: getter('MediaList', 'mediaText'),
    sheetCount: getter('StyleSheetList', 'length'),
    ruleCount: getter('CSSRuleList', 'length'),
    ruleText: getter('CSSRule', 'cssText'),

    inputValue: getter('HTMLInputElement', 'value'),
    inputSelection: { start: getter('HTMLInputElement', 'selectionStart'), end: getter('HTMLInputElement', 'selectionEnd') },
    inputChecked: getter('HTMLInputElement', 'checked'),
    inputIndeterminate: getter('HTMLInputElement', 'indeterminate'),
    textareaValue: getter('HTMLTextAreaElement', 'value'),
    textareaSelection: { start: getter('HTMLTextAreaElement', 'selectionStart'), end: getter('HTMLTextAreaElement', 'selectionEnd') },
    textareaDefault: getter('HTMLTextAreaElement', 'defaultValue'),
    optionSelected: getter('HTMLOptionElement', 'selected'),
    mediaPaused: getter('HTMLMediaElement', 'paused'),
    mediaTime: getter('HTMLMediaElement', 'currentTime'),
    mediaEnded: getter('HTMLMediaElement', 'ended'),
    mediaReady: getter('HTMLMediaElement', 'readyState'),
    videoWidth: getter('HTMLVideoElement', 'videoWidth'),
    videoHeight: getter('HTMLVideoElement', 'videoHeight'),
    imageComplete: getter('HTMLImageElement', 'complete'),
    imageWidth: getter('HTMLImageElement', 'naturalWidth'),
    imageHeight: getter('HTMLImageElement', 'naturalHeight'),
    imageLoading: getter('HTMLImageElement', 'loading'),
    imageSource: getter('HTMLImageElement', 'currentSrc'),
    imageAddress: getter('HTMLImageElement', 'src'),
    fonts: getter('Document', 'fonts'),
    fontsReady: getter('FontFaceSet', 'ready'),
    fontsStatus: getter('FontFaceSet', 'status'),
    eachFont: method('FontFaceSet', 'forEach'),
    fontStatus: getter('FontFace', 'status'),
    fontFamily: getter('FontFace', 'family'),
    decodeImage: method('HTMLImageElement', 'decode'),
    canvasWidth: getter('HTMLCanvasElement', 'width'),
    canvasHeight: getter('HTMLCanvasElement', 'height'),
  };
}
