// One spelling for values that mean the same. Engines serialise computed values differently in places where the standards
// leave it open or where they lag behind; each rule here was seen between two current engines (see docs/page-data.md).
// What differs in meaning, even slightly, is left alone: that is for the analyzer to judge.

/** Strings and URLs are kept as they are; then colours; then numbers. */
const styleToken = () => /"(?:[^"\\]|\\.)*"|url\([^)]*\)|color\(srgb [^)]*\)|rgba?\([^)]*\)|transparent|-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi;

/** @typedef {import('./dom.js').Dom} Dom */

/**
 * @param {string} name @param {string} value as the engine gave it @param {Dom} dom
 * @returns {string}
 */
export function normaliseStyleValue(name, value, dom) {
  if (name === 'font-family') return fontFamilies(value, dom);
  let plain = rewriteTokens(value, dom);
  if (dom.exec(/^(?:background|mask)-(?!image)/, name)) plain = oneOfAlike(plain, dom);
  if (dom.exec(/^(?:margin|padding)-/, name)) plain = tenths(plain, dom);
  const known = STYLE_SYNONYMS[/** @type {keyof typeof STYLE_SYNONYMS} */ (name)];
  if (known && plain in known) return /** @type {any} */ (known)[plain];
  if (name === 'background-size' || name === 'mask-size') return withoutAuto(plain, dom);
  if (name === 'background-image' || name === 'mask-image') return shortGradient(plain, dom);
  if (name === 'will-change' || name === 'contain') return sortedWords(plain, dom);
  return plain;
}

const STYLE_SYNONYMS = {
  __proto__: null,
  'letter-spacing': { __proto__: null, '0px': 'normal' },
  'word-spacing': { __proto__: null, normal: '0px' },
  'text-align': {
    __proto__: null, '-webkit-auto': 'start', '-webkit-left': 'left', '-webkit-right': 'right', '-webkit-center': 'center',
    '-moz-left': 'left', '-moz-right': 'right', '-moz-center': 'center', '-internal-center': 'center',
  },
  'background-repeat': { __proto__: null, 'repeat repeat': 'repeat', 'no-repeat no-repeat': 'no-repeat' },
  'border-image-repeat': { __proto__: null, 'stretch stretch': 'stretch' },
  'border-image-outset': { __proto__: null, '0px': '0' },
  'border-spacing': { __proto__: null, '0px 0px': '0px' },
  'font-stretch': { __proto__: null, normal: '100%' },
  'font-weight': { __proto__: null, normal: '400', bold: '700' },
  'font-variation-settings': { __proto__: null, '': 'normal' },
  'row-gap': { __proto__: null, '0px': 'normal' },
  'column-gap': { __proto__: null, '0px': 'normal' },
  'justify-items': { __proto__: null, legacy: 'normal' },
  'text-decoration-thickness': { __proto__: null, 'from-font': 'auto' },
  'text-emphasis-position': { __proto__: null, 'over right': 'over', auto: 'over' },
  'stroke-dashoffset': { __proto__: null, '0': '0px' },
  'stroke-width': { __proto__: null, '1': '1px' },
  'image-rendering': { __proto__: null, '-webkit-optimize-contrast': 'crisp-edges' },
  'unicode-bidi': { __proto__: null, isolate: 'normal' },
  'cursor': { __proto__: null, default: 'auto', text: 'auto' },
  'line-break': { __proto__: null, 'after-white-space': 'auto' },
  'will-change': { __proto__: null, '-moz-fixed-pos-containing-block': 'auto' },
  'perspective': { __proto__: null, '': 'none' },
};

/** A size that names no height: `24px auto` is `24px`. @param {string} value @param {Dom} dom */
function withoutAuto(value, dom) {
  const second = value.length - ' auto'.length;
  return second > 0 && dom.sliceText(value, second) === ' auto' ? dom.sliceText(value, 0, second) : value;
}

/** The generic families an engine's settings stand behind when a page names none. */
const UNSET_FAMILIES = { __proto__: null, serif: 1, times: 1, 'times new roman': 1, '-webkit-standard': 1 };

/** @param {string} value @param {Dom} dom */
function fontFamilies(value, dom) {
  let result = '';
  const family = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|[^,"']+/g;
  for (let match = dom.exec(family, value); match; match = dom.exec(family, value)) {
    const text = match[1] !== undefined ? match[1] : match[2] !== undefined ? match[2] : trimmedFamily(match[0], dom);
    if (text) result += (result ? ', ' : '') + text;
  }
  return dom.lower(result) in UNSET_FAMILIES ? '' : result;
}

/** @param {string} text @param {Dom} dom */
function trimmedFamily(text, dom) {
  const match = dom.exec(/^\s*([^]*?)\s*$/, text);
  return match ? match[1] : text;
}

/** @param {string} value @param {Dom} dom */
function rewriteTokens(value, dom) {
  const token = styleToken();
  let result = '';
  let from = 0;
  for (let match = dom.exec(token, value); match; match = dom.exec(token, value)) {
    const text = match[0];
    const before = match.index > 0 ? dom.codeAt(value, match.index - 1) : 0;
    result += dom.sliceText(value, from, match.index);
    from = match.index + text.length;
    // A digit inside a word (`h1`, `matrix3d`) is no number.
    result += isWordCode(before) ? text : spellToken(text, dom);
  }
  return from === 0 ? value : result + dom.sliceText(value, from);
}

/** @param {number} code */
function isWordCode(code) {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
}

/** @param {string} text @param {Dom} dom */
function spellToken(text, dom) {
  const first = text[0];
  if (first === '"') return text;
  if (first === 'u' || first === 'U') return text[4] === '"' ? text : 'url("' + dom.sliceText(text, 4, -1) + '")';
  if (first === 't') return 'rgba(0, 0, 0, 0)';
  if (first === 'c') return spellColour(text, 255, dom);
  if (first === 'r') return spellColour(text, 1, dom);
  return '' + (dom.round(+text * 1000) / 1000 + 0);
}

/** @param {string} text @param {number} scale @param {Dom} dom */
function spellColour(text, scale, dom) {
  const number = /(-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(%?)/g;
  const parts = [0, 0, 0, 1];
  let count = 0;
  for (let match = dom.exec(number, text); match && count < 4; match = dom.exec(number, text)) {
    const amount = +match[1];
    parts[count] = count === 3 ? (match[2] ? amount / 100 : amount) : match[2] ? (amount * 255) / 100 : amount * scale;
    count++;
  }
  if (count < 3) return text; // `none` components: not a plain colour
  /** @param {number} at */
  const channel = at => dom.round(parts[at]);
  const alpha = dom.round(parts[3] * 100) / 100;
  const body = `${channel(0)}, ${channel(1)}, ${channel(2)}`;
  return alpha === 1 ? `rgb(${body})` : `rgba(${body}, ${alpha})`;
}

/** Layers that are all alike: one engine repeats the value for each, another writes it once. @param {string} value @param {Dom} dom */
function oneOfAlike(value, dom) {
  const comma = dom.findText(value, ', ');
  if (comma < 0) return value;
  const first = dom.sliceText(value, 0, comma);
  let repeated = first;
  while (repeated.length < value.length) repeated += ', ' + first;
  return repeated === value ? first : value;
}

/** Engines cut used lengths to their own layout unit. @param {string} value @param {Dom} dom */
function tenths(value, dom) {
  const match = dom.exec(/^(-?[\d.]+)px$/, value);
  return match ? dom.round(+match[1] * 10) / 10 + 'px' : value;
}

/** `to bottom` is what a linear gradient does by itself. @param {string} value @param {Dom} dom */
function shortGradient(value, dom) {
  let result = value;
  const lead = /linear-gradient\((?:180deg|to bottom), /;
  for (let match = dom.exec(lead, result); match; match = dom.exec(lead, result)) {
    result = dom.sliceText(result, 0, match.index) + 'linear-gradient(' + dom.sliceText(result, match.index + match[0].length);
  }
  return result;
}

/** @param {string} value @param {Dom} dom */
function sortedWords(value, dom) {
  /** @type {string[]} */
  const words = [];
  const word = /[^\s,]+/g;
  for (let match = dom.exec(word, value); match; match = dom.exec(word, value)) words[words.length] = match[0];
  dom.sort(words);
  return dom.join(words, ' ');
}
