// Style rules as this engine understood them: what is missing here and present there was dropped, and that is often the
// cause of a difference. They are sent when they changed, so whether they changed must be cheap to know: the list of sheets
// and of rule objects is compared one by one; the text of all rules only where they are few, otherwise of those that the
// page has had in its hands (`page-watch.js`), because the text of 3,000 rules costs more than the rest of a checkpoint.
//
// A sheet of another site cannot be read. Whose styles a change may reach nobody knows then, and all would be read anew after
// each: so its text is asked for from whoever has it.
import { uncurry } from '../natives.js';
import { isOwnSheet } from '../own-sheets.js';
import { captureMembers } from '../target/more-nodes.js';
import { createDeclarationReader } from './declarations.js';
import { handsDown } from './reach.js';
import { resolveNested, withoutPseudoElements } from './selectors.js';

/**
 * @typedef {import('./dom.js').Dom} Dom
 * The selector around a nested rule, as it stands there, and with all that is around it.
 * @typedef {{selector: string, resolved: string}} Outer
 * @typedef {{sheet: string, selector: string, within: string[], declarations: [string, string][]}} StyleRule
 */

/** Up to so many rules their text is compared too. */
const TEXT_RULES = 400;

/** What is drawn only where somebody may see it. `all` is written out with many another value. */
const SKIPPING = /content-visibility:\s*(?:auto|var\()/;

/** @type {Outer} */
const OUTERMOST = { selector: '', resolved: '' };

/** @param {Dom} dom @param {() => boolean} rulesEdited whether the page edited a rule in place since the last call */
export function createRuleReader(dom, rulesEdited) {
  const read = captureRuleGetters(dom.window);
  const declarations = createDeclarationReader(dom);
  const parse = captureParser(dom.window);
  /** @type {any[]} */
  let before = [];
  /** @type {{selectors: import('./reach.js').Selector[], conditions: string[], unreadable: boolean, skipping: string[]}} */
  let contents = { selectors: [], conditions: [], unreadable: false, skipping: [] };
  /** By address, a sheet of ours with the text of one that cannot be read, or null where nobody knows it. @type {any} */
  const standIns = dom.makeMap();
  let learnt = false;
  /** @type {string[]} addresses of sheets that cannot be read, of which nothing was heard yet */
  let unheard = [];

  return {
    contents: () => contents,
    unheard: () => unheard,
    /** @param {string} address @param {string | null} text */
    learn(address, text) {
      dom.mapSet(standIns, address, text === null ? null : parse(text));
      learnt = true;
    },
    /** @param {any[]} roots @param {boolean} whole @returns {StyleRule[] | null} null when nothing changed */
    read(roots, whole) {
      const sheets = sheetsOf(dom, roots);
      const now = sheetFingerprint(dom, read, sheets);
      const edited = rulesEdited();
      const same = !whole && !edited && isSameFingerprint(before, now);
      before = now;
      if (same && !learnt) return null;
      learnt = false;
      /** @type {StyleRule[]} */
      const rules = [];
      contents = { selectors: [], conditions: [], unreadable: false, skipping: [] };
      unheard = [];
      const told = withoutRepeated(sheets);
      for (let at = 0; at < told.length; at++) {
        const { sheet, name, trees } = told[at];
        const media = mediaOf(sheet);
        const within = trees === DOCUMENT_TREE ? [] : ['@shadow ' + trees];
        addSheet(rules, sheet, name, media ? withinAlso(within, '@media ' + media) : within);
      }
      return same ? null : rules;
    },
  };

  /** A component's sheet stands in the shadow root of each of its instances: once is enough. @param {Placed[]} sheets */
  function withoutRepeated(sheets) {
    const texts = dom.makeMap();
    /** @type {(Placed & {name: string})[]} */
    const told = [];
    let unnamed = 0;
    for (let at = 0; at < sheets.length; at++) {
      const { sheet, trees } = sheets[at];
      const href = dom.sheetHref(sheet);
      const name = href || '#' + ++unnamed;
      const text = href || trees === DOCUMENT_TREE ? '' : ownText(sheet);
      const first = text ? dom.mapGet(texts, text) : undefined;
      if (first) {
        first.trees = withTree(dom, first.trees, trees);
        continue;
      }
      const placed = { sheet, name, trees };
      if (text) dom.mapSet(texts, text, placed);
      told[told.length] = placed;
    }
    return told;
  }

  /** What stands in the element that it is made of. @param {any} sheet */
  function ownText(sheet) {
    const owner = dom.sheetOwner(sheet);
    const text = owner && dom.firstChild(owner);
    return text && dom.nodeType(text) === 3 ? dom.textOf(text) : '';
  }

  /** @param {any} sheet */
  function mediaOf(sheet) {
    const media = dom.sheetMedia(sheet);
    return media ? dom.mediaText(media) : '';
  }

  /** @param {StyleRule[]} rules @param {any} sheet @param {string} name @param {string[]} within */
  function addSheet(rules, sheet, name, within) {
    const list = readableRules(dom, sheet);
    if (list) return addRules(rules, list, name, within, OUTERMOST);
    rules[rules.length] = { sheet: name, selector: '', within: withinAlso(within, 'unreadable'), declarations: [] };
    const address = dom.sheetHref(sheet);
    const standIn = dom.mapGet(standIns, address);
    if (standIn) {
      // What it says is no part of the data: it tells whose styles a change may reach.
      addRules([], dom.sheetRules(standIn), name, within, OUTERMOST);
      return;
    }
    contents.unreadable = true;
    if (address && !dom.mapHas(standIns, address)) unheard[unheard.length] = address;
  }

  /** @param {StyleRule[]} rules @param {any} list @param {string} sheet @param {string[]} within @param {Outer} outer */
  function addRules(rules, list, sheet, within, outer) {
    const count = dom.ruleCount(list);
    for (let at = 0; at < count; at++) addRule(rules, list[at], sheet, within, outer);
  }

  /** @param {StyleRule[]} rules @param {any} rule @param {string} sheet @param {string[]} within @param {Outer} outer */
  function addRule(rules, rule, sheet, within, outer) {
    /** @param {string} selector @param {any} style */
    const add = (selector, style) => {
      const read = declarations.read(style);
      if (read.length) rules[rules.length] = { sheet, selector, within, declarations: read };
    };
    const kind = dom.kindOf(rule);
    if (kind === '[object CSSStyleRule]') {
      const selector = read.selector(rule);
      const style = read.style(rule);
      const text = declarations.text(style);
      const resolved = outer.resolved ? resolveNested(dom, selector, outer.resolved) : selector;
      remember(resolved, text);
      add(selector, style);
      const nested = read.nested(rule);
      if (nested && dom.ruleCount(nested) > 0) addRules(rules, nested, sheet, withinAlso(within, selector), { selector, resolved });
    } else if (kind === '[object CSSNestedDeclarations]') {
      const style = read.nestedStyle(rule);
      if (outer.resolved) remember(outer.resolved, declarations.text(style));
      add(outer.selector || '&', style);
    } else if (kind === '[object CSSImportRule]') {
      const imported = read.imported(rule);
      if (imported) addSheet(rules, imported, dom.sheetHref(imported) || sheet, mediaOf(imported) ? withinAlso(within, '@media ' + mediaOf(imported)) : within);
    } else if (kind === '[object CSSFontFaceRule]') {
      add('@font-face', read.fontStyle(rule));
    } else if (kind === '[object CSSKeyframeRule]') {
      add(read.keyText(rule), read.keyStyle(rule));
    } else {
      const list = read.grouped(rule) || read.frames(rule);
      const heading = headingOf(rule, kind);
      if (!list || !heading) return;
      contents.conditions[contents.conditions.length] = heading;
      addRules(rules, list, sheet, withinAlso(within, heading), outer);
    }
  }

  /** @param {string} selector @param {string} declared */
  function remember(selector, declared) {
    if (dom.exec(SKIPPING, declared)) contents.skipping[contents.skipping.length] = withoutPseudoElements(selector, dom);
    contents.selectors[contents.selectors.length] = { text: selector, inherited: handsDown(dom, declared) };
  }

  /** @param {any} rule @param {string} kind */
  function headingOf(rule, kind) {
    if (kind === '[object CSSMediaRule]') return '@media ' + read.condition(rule);
    if (kind === '[object CSSSupportsRule]') return '@supports ' + read.condition(rule);
    if (kind === '[object CSSContainerRule]') return '@container ' + read.condition(rule);
    if (kind === '[object CSSLayerBlockRule]') return '@layer ' + read.layerName(rule);
    if (kind === '[object CSSKeyframesRule]') return '@keyframes ' + read.framesName(rule);
    // The rest has no condition attribute in common: the text up to its block is what it is.
    const text = dom.ruleText(rule);
    const brace = dom.findText(text, '{');
    const match = brace > 0 ? dom.exec(/^[^{]*[^{\s]/, text) : null;
    return match ? match[0] : '';
  }
}

/** @param {any} global */
function captureRuleGetters(global) {
  const { getter } = captureMembers(global);
  /** Answers nothing for rules of another kind. @param {any} get */
  const ifAny = get => (/** @type {any} */ rule) => {
    try {
      return get(rule);
    } catch {
      // The accessor's own brand check.
      return undefined;
    }
  };
  return {
    selector: getter('CSSStyleRule', 'selectorText'),
    style: getter('CSSStyleRule', 'style'),
    nested: ifAny(getter('CSSStyleRule', 'cssRules')),
    nestedStyle: getter('CSSNestedDeclarations', 'style'),
    fontStyle: getter('CSSFontFaceRule', 'style'),
    keyText: getter('CSSKeyframeRule', 'keyText'),
    keyStyle: getter('CSSKeyframeRule', 'style'),
    grouped: ifAny(getter('CSSGroupingRule', 'cssRules')),
    frames: ifAny(getter('CSSKeyframesRule', 'cssRules')),
    framesName: getter('CSSKeyframesRule', 'name'),
    condition: getter('CSSConditionRule', 'conditionText'),
    layerName: getter('CSSLayerBlockRule', 'name'),
    imported: getter('CSSImportRule', 'styleSheet'),
  };
}

/**
 * Makes a sheet of a text, which is nowhere in force; nothing where the engine cannot.
 * @param {any} global
 * @returns {(text: string) => any}
 */
function captureParser(global) {
  const { CSSStyleSheet } = global;
  const { replaceSync } = CSSStyleSheet.prototype;
  if (!replaceSync) return () => null;
  const fill = uncurry(replaceSync);
  return text => {
    const sheet = new CSSStyleSheet();
    fill(sheet, text);
    return sheet;
  };
}

/** @param {Dom} dom @param {any} sheet */
function readableRules(dom, sheet) {
  try {
    return dom.sheetRules(sheet);
  } catch {
    // A sheet from another origin: SecurityError. It is named in the data, so that nobody takes it for empty.
    return null;
  }
}

/** The tree of a sheet of the document. */
const DOCUMENT_TREE = ':root';

/**
 * A sheet, and the trees that it applies to: the tags of their hosts, with a space between.
 * @typedef {{sheet: any, trees: string}} Placed
 */

/** Enabled sheets in the order in which they apply. @param {Dom} dom @param {any[]} roots @returns {Placed[]} */
function sheetsOf(dom, roots) {
  const known = dom.makeMap();
  /** @type {Placed[]} */
  const sheets = [];
  /** @param {any} sheet @param {string} tree */
  const add = (sheet, tree) => {
    const placed = dom.mapGet(known, sheet);
    if (placed) {
      placed.trees = withTree(dom, placed.trees, tree);
      return;
    }
    if (dom.sheetDisabled(sheet)) return;
    sheets[sheets.length] = { sheet, trees: tree };
    dom.mapSet(known, sheet, sheets[sheets.length - 1]);
  };
  for (let at = 0; at < roots.length; at++) {
    const isDocument = dom.nodeType(roots[at]) === 9;
    const tree = isDocument ? DOCUMENT_TREE : dom.lower(dom.localName(dom.shadowHost(roots[at])));
    const list = isDocument ? dom.documentSheets(roots[at]) : dom.shadowSheets(roots[at]);
    const count = list ? dom.sheetCount(list) : 0;
    for (let index = 0; index < count; index++) add(list[index], tree);
    const adopted = (isDocument ? dom.documentAdopted(roots[at]) : dom.shadowAdopted(roots[at])) || [];
    for (let index = 0; index < adopted.length; index++) if (!isOwnSheet(adopted[index])) add(adopted[index], tree);
  }
  return sheets;
}

/** @param {Dom} dom @param {string} trees @param {string} tree */
function withTree(dom, trees, tree) {
  return dom.findText(' ' + trees + ' ', ' ' + tree + ' ') < 0 ? trees + ' ' + tree : trees;
}

const GROUPING_RULES = {
  __proto__: null, '[object CSSMediaRule]': 1, '[object CSSSupportsRule]': 1, '[object CSSContainerRule]': 1, '[object CSSLayerBlockRule]': 1,
  '[object CSSScopeRule]': 1, '[object CSSStartingStyleRule]': 1,
};

/** @param {Dom} dom @param {ReturnType<typeof captureRuleGetters>} read @param {Placed[]} sheets */
function sheetFingerprint(dom, read, sheets) {
  /** @type {any[]} */
  const marks = [];
  let count = 0;
  /** @param {any} list */
  const addList = list => {
    const length = list ? dom.ruleCount(list) : 0;
    for (let at = 0; at < length; at++) {
      const rule = list[at];
      marks[marks.length] = rule;
      count++;
      // Asking a rule without inner rules throws, and a page has thousands of those.
      if (dom.kindOf(rule) in GROUPING_RULES) addList(read.grouped(rule));
    }
  };
  for (let at = 0; at < sheets.length; at++) {
    const { sheet, trees } = sheets[at];
    marks[marks.length] = sheet;
    marks[marks.length] = trees;
    const media = dom.sheetMedia(sheet);
    marks[marks.length] = media ? dom.mediaText(media) : '';
    addList(readableRules(dom, sheet));
  }
  if (count <= TEXT_RULES) {
    const length = marks.length;
    for (let at = 0; at < length; at++) {
      if (typeof marks[at] === 'object' && dom.findText(dom.kindOf(marks[at]), 'Rule]') > 0) marks[marks.length] = dom.ruleText(marks[at]);
    }
  }
  return marks;
}

/** @param {any[]} one @param {any[]} other */
function isSameFingerprint(one, other) {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

/** @param {string[]} list @param {string} item */
function withinAlso(list, item) {
  const longer = [];
  for (let at = 0; at < list.length; at++) longer[at] = list[at];
  longer[longer.length] = item;
  return longer;
}
