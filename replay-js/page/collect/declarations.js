// Declarations of a rule or a style attribute, in one spelling. Engines differ in which longhands they write back as a
// shorthand (WebKit writes `font`, `border-bottom`, `grid-area` as their parts), so those few are taken apart everywhere; and
// in the resets that come with `font`, so those are left out where they say nothing.
import { captureMembers } from '../target/more-nodes.js';
import { normaliseStyleValue } from './style-values.js';

/** @typedef {import('./dom.js').Dom} Dom */

const SPLIT_SHORTHANDS = splitShorthands();
const FONT_RESETS = /^font-(?:width|stretch|size-adjust|kerning|optical-sizing|feature-settings|variation-settings|variant-(?!caps)[a-z-]+|palette|language-override)$/;
/** @type {Record<string, string>} */
const OTHER_NAMES = Object.assign(Object.create(null), { 'font-width': 'font-stretch', '-moz-box-orient': '-webkit-box-orient' });
const WIDE_KEYWORDS = ['unset', 'initial', 'inherit', 'revert', 'revert-layer'];
const RESET_VALUES = { __proto__: null, normal: 1, auto: 1, none: 1, unset: 1, initial: 1, inherit: 1 };
/** So many declarations of one keyword come from `all`, which stands for every property an engine has. */
const ALL_AT_LEAST = 100;

/** @returns {Record<string, string[]>} */
function splitShorthands() {
  // Runs when the script is evaluated, before any code of the page.
  /** @type {Record<string, string[]>} */
  const table = Object.create(null);
  const line = ['width', 'style', 'color'];
  for (const edge of ['top', 'right', 'bottom', 'left', 'inline-start', 'inline-end', 'block-start', 'block-end']) {
    table['border-' + edge] = line.map(part => `border-${edge}-${part}`);
  }
  table.border = ['top', 'right', 'bottom', 'left'].flatMap(edge => table['border-' + edge]);
  for (const axis of ['inline', 'block']) table['border-' + axis] = ['start', 'end'].flatMap(end => table[`border-${axis}-${end}`]);
  table.font = ['font-style', 'font-variant-caps', 'font-weight', 'font-size', 'line-height', 'font-family'];
  table['font-variant'] = ['caps', 'ligatures', 'numeric', 'alternates', 'east-asian'].map(part => 'font-variant-' + part);
  table['grid-row'] = ['grid-row-start', 'grid-row-end'];
  table['grid-column'] = ['grid-column-start', 'grid-column-end'];
  table['grid-area'] = [...table['grid-row'], ...table['grid-column']];
  table.columns = ['column-width', 'column-count'];
  table['column-rule'] = line.map(part => 'column-rule-' + part);
  table.container = ['container-name', 'container-type'];
  table['text-emphasis'] = ['text-emphasis-style', 'text-emphasis-color'];
  table['-webkit-text-stroke'] = ['-webkit-text-stroke-width', '-webkit-text-stroke-color'];
  table.mask = ['mask-image', 'mask-position', 'mask-size', 'mask-repeat', 'mask-origin', 'mask-clip', 'mask-composite', 'mask-mode'];
  return table;
}

/** @param {Dom} dom */
export function createDeclarationReader(dom) {
  const { getter, method } = captureMembers(dom.window);
  const blockText = getter('CSSStyleDeclaration', 'cssText');
  const valueOf = method('CSSStyleDeclaration', 'getPropertyValue');

  return {
    /** @param {any} block @returns {string} as the engine spells it */
    text: block => blockText(block),
    /**
     * @param {any} block a `CSSStyleDeclaration`
     * @param {string} [written] what an attribute says: what the engine made nothing of stands among the others, as in
     * an engine that knows it
     * @returns {[string, string][]} sorted by name
     */
    read(block, written) {
      /** @type {[string, string][]} */
      let declarations = [];
      eachOf(blockText(block), (name, value) => add(declarations, block, name, value));
      for (let at = 0; at < WIDE_KEYWORDS.length; at++) declarations = withAll(declarations, WIDE_KEYWORDS[at]);
      if (written && dom.findText(written, '/*') < 0) {
        const known = declarations.length;
        eachOf(written, (name, value) => {
          const lower = dom.lower(name);
          if (dom.findText(name, '--') !== 0 && valueOf(block, lower) === '' && !holds(declarations, known, lower)) addSpelled(declarations, lower, value);
        });
      }
      dom.sort(declarations, (/** @type {[string, string]} */ a, /** @type {[string, string]} */ b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
      return declarations;
    },
  };

  /** @param {string} text @param {(name: string, value: string) => void} use */
  function eachOf(text, use) {
    const part = /(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()]|\([^()]*\))*\)|[^()"'])*\)|[^;"'(])+/g;
    for (let match = dom.exec(part, text); match; match = dom.exec(part, text)) {
      const pair = dom.exec(/^\s*([^:\s]+)\s*:\s*([^]*?)\s*$/, match[0]);
      if (pair) use(pair[1], pair[2]);
    }
  }

  /**
   * Whether a property is among the first so many, or a part of it is, into which it was taken apart.
   * @param {[string, string][]} declarations @param {number} count @param {string} name
   */
  function holds(declarations, count, name) {
    const known = OTHER_NAMES[name] || name;
    for (let at = 0; at < count; at++) if (declarations[at][0] === known || dom.findText(declarations[at][0], known + '-') === 0) return true;
    return false;
  }

  /** @param {[string, string][]} declarations @param {any} block @param {string} name @param {string} value */
  function add(declarations, block, name, value) {
    if (name[0] === '-' && name[1] === '-') {
      declarations[declarations.length] = [name, value];
      return;
    }
    const important = dom.exec(/!important$/, value) ? ' !important' : '';
    const longhands = SPLIT_SHORTHANDS[name];
    let split = longhands !== undefined;
    for (let at = 0; split && at < longhands.length; at++) split = valueOf(block, longhands[at]) !== '';
    if (!split) return addSpelled(declarations, name, value);
    for (let at = 0; at < longhands.length; at++) addSpelled(declarations, longhands[at], valueOf(block, longhands[at]) + important);
  }

  /** @param {[string, string][]} declarations @param {string} name @param {string} value */
  function addSpelled(declarations, name, value) {
    if (dom.exec(FONT_RESETS, name) && value in RESET_VALUES) return;
    const known = OTHER_NAMES[name] || name;
    declarations[declarations.length] = [known, normaliseStyleValue(known === 'font-family' ? 'font-family' : '', value, dom) || value];
  }
}

/** @param {[string, string][]} declarations @param {string} keyword @returns {[string, string][]} */
function withAll(declarations, keyword) {
  /** @type {[string, string][]} */
  const others = [];
  for (let at = 0; at < declarations.length; at++) if (declarations[at][1] !== keyword) others[others.length] = declarations[at];
  if (declarations.length - others.length < ALL_AT_LEAST) return declarations;
  others[others.length] = ['all', keyword];
  return others;
}
