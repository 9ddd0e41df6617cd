// What collecting reads, captured before the page's first script (see `captureNodes`). Language built-ins are captured
// too: pages replace `Map`, `Array.prototype.sort` or `getComputedStyle`, and a collector that goes through them would
// measure the page's patch. Arrays are indexed and counted by hand for the same reason; `for…of` and spreading are not.
import { captureMembers, captureNodes } from '../target/nodes.js';

/** @typedef {ReturnType<typeof captureDom>} Dom */

/** @param {any} global */
export function captureDom(global) {
  const { method, getter, uncurry } = captureMembers(global);
  const { Map, WeakMap, Math, Promise } = global;
  const round = Math.round;
  return {
    ...captureNodes(global),
    round,
    /** Blink and WebKit lay out in 1/64 px, Gecko in 1/60: the finest step that is not an artefact of a float. @param {number} px */
    step: px => round(px * 64) / 64 + 0,
    makeMap: () => new Map(),
    makeWeakMap: () => new WeakMap(),
    mapGet: method('Map', 'get'),
    mapSet: method('Map', 'set'),
    mapHas: method('Map', 'has'),
    mapDelete: method('Map', 'delete'),
    mapEach: method('Map', 'forEach'),
    weakGet: method('WeakMap', 'get'),
    weakSet: method('WeakMap', 'set'),
    /** @type {(begin: (done: () => void) => void) => Promise<void>} */
    makePromise: begin => new Promise(begin),
    then: method('Promise', 'then'),
    sort: method('Array', 'sort'),
    join: method('Array', 'join'),
    stringify: global.JSON.stringify,
    lastIndex: method('String', 'lastIndexOf'),

    namespace: getter('Element', 'namespaceURI'),
    attributeNames: method('Element', 'getAttributeNames'),
    matches: method('Element', 'matches'),
    assignedNodes: method('HTMLSlotElement', 'assignedNodes'),
    box: method('Element', 'getBoundingClientRect'),
    boxes: method('Element', 'getClientRects'),
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

    computedStyle: global.getComputedStyle.bind(global),
    styleValue: method('CSSStyleDeclaration', 'getPropertyValue'),
    styleCount: getter('CSSStyleDeclaration', 'length'),
    styleName: method('CSSStyleDeclaration', 'item'),
    stylePriority: method('CSSStyleDeclaration', 'getPropertyPriority'),

    rootElement: getter('Document', 'documentElement'),
    body: getter('Document', 'body'),
    scrollingElement: getter('Document', 'scrollingElement'),
    compatMode: getter('Document', 'compatMode'),
    url: getter('Document', 'URL'),
    title: getter('Document', 'title'),
    baseUri: getter('Node', 'baseURI'),
    documentSheets: getter('Document', 'styleSheets'),
    shadowSheets: getter('ShadowRoot', 'styleSheets'),
    documentAdopted: getter('Document', 'adoptedStyleSheets'),
    shadowAdopted: getter('ShadowRoot', 'adoptedStyleSheets'),
    animations: method('Document', 'getAnimations'),
    shadowAnimations: method('ShadowRoot', 'getAnimations'),
    animationEffect: getter('Animation', 'effect'),
    effectTarget: getter('KeyframeEffect', 'target'),
    innerWidth: windowGetter(global, 'innerWidth', uncurry),
    innerHeight: windowGetter(global, 'innerHeight', uncurry),
    pixelRatio: windowGetter(global, 'devicePixelRatio', uncurry),
    mediaMatches: mediaQuery(global, method, getter, uncurry),
    kindOf: uncurry(global.Object.prototype.toString),

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
    inputChecked: getter('HTMLInputElement', 'checked'),
    inputIndeterminate: getter('HTMLInputElement', 'indeterminate'),
    textareaValue: getter('HTMLTextAreaElement', 'value'),
    textareaDefault: getter('HTMLTextAreaElement', 'defaultValue'),
    optionSelected: getter('HTMLOptionElement', 'selected'),
    mediaPaused: getter('HTMLMediaElement', 'paused'),
    mediaTime: getter('HTMLMediaElement', 'currentTime'),
    mediaReady: getter('HTMLMediaElement', 'readyState'),
    videoWidth: getter('HTMLVideoElement', 'videoWidth'),
    videoHeight: getter('HTMLVideoElement', 'videoHeight'),
    imageComplete: getter('HTMLImageElement', 'complete'),
    imageWidth: getter('HTMLImageElement', 'naturalWidth'),
    imageHeight: getter('HTMLImageElement', 'naturalHeight'),
    imageLoading: getter('HTMLImageElement', 'loading'),
    imageSource: getter('HTMLImageElement', 'currentSrc'),
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

/**
 * Properties of `window` are its own in some engines and its prototype's in others.
 * @param {any} global @param {string} name @param {(method: any) => any} uncurry
 * @returns {() => number}
 */
function windowGetter(global, name, uncurry) {
  for (let at = global; at; at = global.Object.getPrototypeOf(at)) {
    const found = global.Object.getOwnPropertyDescriptor(at, name);
    if (found && found.get) {
      const read = uncurry(found.get);
      return () => read(global);
    }
  }
  return () => global[name];
}

/**
 * @param {any} global @param {any} method @param {any} getter @param {(method: any) => any} uncurry
 * @returns {(query: string) => boolean}
 */
function mediaQuery(global, method, getter, uncurry) {
  const ask = uncurry(global.matchMedia);
  const answer = getter('MediaQueryList', 'matches');
  return query => answer(ask(global, query));
}
