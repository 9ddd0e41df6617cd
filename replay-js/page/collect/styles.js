// Computed styles as short lists of what can be seen, each different list once. A style is read into one raw string first;
// only a string that was never seen is split, normalised and entered into the table, so that a page of 5,000 nodes in
// 80 styles normalises 80 of them.
import { quoteForSelector } from '../target/describe.js';
import { STYLE_ALWAYS, STYLE_GROUPS } from './style-properties.js';
import { normaliseStyleValue } from './style-values.js';

/**
 * What collecting itself needs to know of a style.
 * @typedef {{
 *   display: string, position: string, hidden: boolean, transparent: boolean, clipsX: boolean, clipsY: boolean,
 *   z: number | null, context: boolean, holdsFixed: boolean, container: boolean, keepsSpace: boolean, keepsLines: boolean,
 *   skipsContent: boolean, cutAway: boolean, items: 'flex' | 'grid' | '', zoom: number, vertical: boolean, otherLetters: boolean,
 *   hyphenates: boolean
 * }} Facts
 * @typedef {{index: number, facts: Facts}} Style
 * @typedef {import('./dom.js').Dom} Dom
 */

const CONTROL_TAGS = { __proto__: null, input: 1, textarea: 1, select: 1, button: 1, progress: 1, meter: 1 };
const REPLACED_TAGS = { __proto__: null, img: 1, video: 1, canvas: 1, iframe: 1, object: 1, embed: 1 };

/** @param {Dom} dom */
export function createStyles(dom) {
  const byRaw = dom.makeMap();
  const byProperties = dom.makeMap();
  /** @type {[number, [string, string][]][]} all styles of this load, by index - 1 */
  const table = [];
  const normalised = dom.makeMap();

  /** @param {string} name @param {string} value */
  const normalise = (name, value) => {
    const key = name + ' ' + value;
    let known = dom.mapGet(normalised, key);
    if (known === undefined) {
      known = normaliseStyleValue(name, value, dom);
      dom.mapSet(normalised, key, known);
    }
    return known;
  };

  let unseenSkipped = false;

  return {
    table,
    /** Whether any style had `content-visibility: auto`. */
    skipUnseen: () => unseenSkipped,
    /** What collecting itself needs, of a style that nobody is to see. @param {any} element @param {Facts | null} parent @returns {Style} */
    readFacts(element, parent) {
      const raw = readFactsOnly(dom, element, parent);
      let style = dom.mapGet(byRaw, raw.key);
      if (!style) {
        if (raw.parts[0].values[STYLE_AT.skips] === 'auto') unseenSkipped = true;
        style = { index: 0, facts: factsOf(raw, dom) };
        dom.mapSet(byRaw, raw.key, style);
      }
      return style;
    },
    /**
     * @param {any} element @param {string} tag @param {boolean} svg @param {Facts | null} parent @param {(which: string) => boolean} mayGenerate
     * @returns {Style}
     */
    read(element, tag, svg, parent, mayGenerate) {
      const raw = readRaw(dom, element, tag, svg, parent, mayGenerate);
      let style = dom.mapGet(byRaw, raw.key);
      if (!style) {
        style = { index: enter(raw), facts: factsOf(raw, dom) };
        dom.mapSet(byRaw, raw.key, style);
      }
      return style;
    },
  };

  /** @param {Raw} raw */
  function enter(raw) {
    const properties = visibleProperties(raw, normalise);
    let key = '';
    for (let at = 0; at < properties.length; at++) {
      key += properties[at][0] + '\n' + properties[at][1] + '\n';
      if (properties[at][0] === 'content-visibility' && properties[at][1] === 'auto') unseenSkipped = true;
    }
    let index = dom.mapGet(byProperties, key);
    if (index === undefined) {
      index = table.length + 1;
      table[index - 1] = [index, properties];
      dom.mapSet(byProperties, key, index);
    }
    return index;
  }
}

/**
 * `leaf`: shows something else than its children; what the engine's own sheet says of its overflow differs, and has no effect.
 * @typedef {{key: string, parts: {prefix: string, group: {name: string, initial: string}[], values: string[]}[], item: boolean, leaf: boolean, inSvg: boolean, link: boolean}} Raw
 */

/**
 * @param {Dom} dom @param {any} element @param {string} tag @param {boolean} svg @param {Facts | null} parent
 * @param {(which: string) => boolean} mayGenerate
 * @returns {Raw}
 */
function readRaw(dom, element, tag, svg, parent, mayGenerate) {
  /** @type {Raw} */
  const raw = { key: '', parts: [], item: !!(parent && parent.items), leaf: tag in REPLACED_TAGS || tag in CONTROL_TAGS, inSvg: svg && tag !== 'svg', link: tag === 'a' || tag === 'area' };
  raw.key = (raw.item ? 'item' : '') + (raw.leaf ? 'leaf' : '') + (raw.inSvg ? 'svg' : '') + (raw.link ? 'link' : '');
  const computed = dom.computedStyle(element, null);
  const always = readGroup(dom, raw, computed, '', STYLE_ALWAYS);
  if (always[STYLE_AT.display] === 'none') return raw;
  readDependents(dom, raw, computed, '', always, tag, svg, parent);
  for (let at = 0; at < GENERATED_ELEMENTS.length; at++) {
    if (!mayGenerate(GENERATED_ELEMENTS[at])) continue;
    const pseudo = dom.computedStyle(element, GENERATED_ELEMENTS[at]);
    const content = dom.styleValue(pseudo, 'content');
    if (content === 'none' || content === 'normal' || content === '' || dom.styleValue(pseudo, 'display') === 'none') continue;
    const prefix = GENERATED_ELEMENTS[at] + ' ';
    const generated = readGroup(dom, raw, pseudo, prefix, STYLE_GROUPS.generated);
    generated[0] = withAttributes(dom, element, content);
    raw.key += generated[0];
    readDependents(dom, raw, pseudo, prefix, readGroup(dom, raw, pseudo, prefix, STYLE_ALWAYS), '', false, null);
  }
  return raw;
}

/** @param {Dom} dom @param {any} element @param {Facts | null} parent @returns {Raw} */
function readFactsOnly(dom, element, parent) {
  const item = !!(parent && parent.items);
  const computed = dom.computedStyle(element, null);
  /** @type {string[]} */
  const values = [];
  let key = item ? 'facts of item' : 'facts';
  for (let at = 0; at < FACT_PLACES.length; at++) {
    const value = dom.styleValue(computed, STYLE_ALWAYS[FACT_PLACES[at]].name) || '';
    values[FACT_PLACES[at]] = value;
    key += '|' + value;
  }
  return { key, parts: [{ prefix: '', group: STYLE_ALWAYS, values }], item, leaf: false, inSvg: false, link: false };
}

/**
 * One engine shows `attr(title)` as it is written, the others as it comes out.
 * @param {Dom} dom @param {any} element @param {string} content @returns {string}
 */
function withAttributes(dom, element, content) {
  if (dom.findText(content, 'attr(') < 0) return content;
  const match = dom.exec(/^([^]*)\battr\(\s*([\w-]+)\s*\)([^]*)$/, content);
  return match ? withAttributes(dom, element, match[1]) + quoteForSelector(dom.attribute(element, match[2]) || '', dom) + match[3] : content;
}

const GENERATED_ELEMENTS = ['::before', '::after'];

/**
 * @param {Dom} dom @param {Raw} raw @param {any} computed @param {string} prefix @param {{name: string, initial: string}[]} group
 */
function readGroup(dom, raw, computed, prefix, group) {
  const values = [];
  let key = raw.key + prefix + group[0].name;
  for (let at = 0; at < group.length; at++) {
    const value = dom.styleValue(computed, group[at].name) || '';
    values[at] = value;
    key += '|' + value;
  }
  raw.key = key;
  raw.parts[raw.parts.length] = { prefix, group, values };
  return values;
}

/** Where a property stands in `STYLE_ALWAYS`. @param {string} name */
function stylePlace(name) {
  return STYLE_ALWAYS.findIndex(property => property.name === name);
}
const STYLE_AT = {
  display: stylePlace('display'), position: stylePlace('position'), top: stylePlace('border-top-width'), right: stylePlace('border-right-width'),
  bottom: stylePlace('border-bottom-width'), left: stylePlace('border-left-width'), borderImage: stylePlace('border-image-source'), outline: stylePlace('outline-style'),
  decoration: stylePlace('text-decoration-line'), background: stylePlace('background-image'), colour: stylePlace('background-color'), mask: stylePlace('mask-image'),
  transform: stylePlace('transform'), rotate: stylePlace('rotate'), scale: stylePlace('scale'), translate: stylePlace('translate'), perspective: stylePlace('perspective'),
  filter: stylePlace('filter'), backdrop: stylePlace('backdrop-filter'), clipPath: stylePlace('clip-path'), columnCount: stylePlace('column-count'),
  columnWidth: stylePlace('column-width'), emphasis: stylePlace('text-emphasis-style'), stroke: stylePlace('-webkit-text-stroke-width'),
  overflowX: stylePlace('overflow-x'), overflowY: stylePlace('overflow-y'), writing: stylePlace('writing-mode'), visibility: stylePlace('visibility'), opacity: stylePlace('opacity'),
  z: stylePlace('z-index'), blend: stylePlace('mix-blend-mode'), isolation: stylePlace('isolation'), contain: stylePlace('contain'), container: stylePlace('container-type'),
  willChange: stylePlace('will-change'), space: stylePlace('white-space'), skips: stylePlace('content-visibility'),
  zoom: stylePlace('zoom'), letters: stylePlace('text-transform'), hyphens: stylePlace('hyphens'), direction: stylePlace('direction'), clamp: stylePlace('-webkit-line-clamp'),
};

/** What `factsOf` reads. */
const FACT_PLACES = [
  STYLE_AT.display, STYLE_AT.position, STYLE_AT.hyphens, STYLE_AT.visibility, STYLE_AT.opacity, STYLE_AT.overflowX, STYLE_AT.overflowY, STYLE_AT.z, STYLE_AT.contain, STYLE_AT.container,
  STYLE_AT.willChange, STYLE_AT.space, STYLE_AT.skips, STYLE_AT.zoom, STYLE_AT.writing, STYLE_AT.transform, STYLE_AT.rotate, STYLE_AT.scale, STYLE_AT.translate,
  STYLE_AT.perspective, STYLE_AT.filter, STYLE_AT.backdrop, STYLE_AT.clipPath, STYLE_AT.mask, STYLE_AT.isolation, STYLE_AT.blend,
];

/**
 * @param {Dom} dom @param {Raw} raw @param {any} computed @param {string} prefix @param {string[]} always @param {string} tag
 * @param {boolean} svg @param {Facts | null} parent
 */
function readDependents(dom, raw, computed, prefix, always, tag, svg, parent) {
  /** @param {{name: string, initial: string}[]} group */
  const read = group => readGroup(dom, raw, computed, prefix, group);
  if (always[STYLE_AT.top] !== '0px') read(STYLE_GROUPS.top);
  if (always[STYLE_AT.right] !== '0px') read(STYLE_GROUPS.right);
  if (always[STYLE_AT.bottom] !== '0px') read(STYLE_GROUPS.bottom);
  if (always[STYLE_AT.left] !== '0px') read(STYLE_GROUPS.left);
  if (isStyleSet(always[STYLE_AT.borderImage])) read(STYLE_GROUPS.borderImage);
  if (isStyleSet(always[STYLE_AT.outline])) read(STYLE_GROUPS.outline);
  if (isStyleSet(always[STYLE_AT.decoration])) read(STYLE_GROUPS.decoration);
  if (isStyleSet(always[STYLE_AT.background])) read(STYLE_GROUPS.background);
  else if (always[STYLE_AT.colour] !== 'rgba(0, 0, 0, 0)' && always[STYLE_AT.colour] !== 'transparent') read(STYLE_GROUPS.clippedColour);
  if (isStyleSet(always[STYLE_AT.mask])) read(STYLE_GROUPS.mask);
  if (isTransformed(always)) read(STYLE_GROUPS.transformed);
  const display = always[STYLE_AT.display];
  const items = itemsOf(display);
  if (items === 'flex') read(STYLE_GROUPS.flex);
  else if (items === 'grid') read(STYLE_GROUPS.grid);
  if (parent && parent.items === 'flex') read(STYLE_GROUPS.flexItem);
  else if (parent && parent.items === 'grid') read(STYLE_GROUPS.gridItem);
  if (always[STYLE_AT.columnCount] !== 'auto' || always[STYLE_AT.columnWidth] !== 'auto') read(STYLE_GROUPS.columns);
  if (display === 'table' || display === 'inline-table' || display === 'table-cell' || display === 'table-caption') read(STYLE_GROUPS.table);
  if (display === 'list-item') read(STYLE_GROUPS.list);
  if (tag in REPLACED_TAGS) read(STYLE_GROUPS.replaced);
  if (tag in CONTROL_TAGS) read(STYLE_GROUPS.control);
  if (isStyleSet(always[STYLE_AT.emphasis])) read(STYLE_GROUPS.emphasis);
  if (always[STYLE_AT.stroke] !== '0px' && always[STYLE_AT.stroke] !== '') read(STYLE_GROUPS.stroke);
  if (styleScrolls(always[STYLE_AT.overflowX]) || styleScrolls(always[STYLE_AT.overflowY])) read(STYLE_GROUPS.scroller);
  if (always[STYLE_AT.writing] !== 'horizontal-tb') read(STYLE_GROUPS.vertical);
  if (svg) read(STYLE_GROUPS.svg);
}

/** @param {string} value */
function isStyleSet(value) {
  return value !== 'none' && value !== '';
}

/** @param {string} overflow */
function styleScrolls(overflow) {
  return overflow === 'auto' || overflow === 'scroll';
}

/** @param {string[]} always */
function isTransformed(always) {
  return isStyleSet(always[STYLE_AT.transform]) || isStyleSet(always[STYLE_AT.rotate]) || isStyleSet(always[STYLE_AT.scale]) || isStyleSet(always[STYLE_AT.translate]) || isStyleSet(always[STYLE_AT.perspective]);
}

/** @param {string} display @returns {'flex' | 'grid' | ''} */
function itemsOf(display) {
  if (display === 'flex' || display === 'inline-flex') return 'flex';
  return display === 'grid' || display === 'inline-grid' ? 'grid' : '';
}

/**
 * @param {Raw} raw @param {(name: string, value: string) => string} normalise
 * @returns {[string, string][]} what is not initial, in the order of the groups
 */
function visibleProperties(raw, normalise) {
  /** @type {[string, string][]} */
  const properties = [];
  if (raw.parts[0].values[STYLE_AT.display] === 'none') return [['display', 'none']];
  let colour = '';
  for (let part = 0; part < raw.parts.length; part++) {
    const { prefix, group, values } = raw.parts[part];
    if (group === STYLE_ALWAYS) colour = normalise('color', values[0]);
    for (let at = 0; at < group.length; at++) {
      const { name, initial } = group[at];
      let value = normalise(name, values[at]);
      if (group === STYLE_ALWAYS) value = valueHere(name, value, values);
      if (value === '' || value === initial || isInitialHere(name, value, initial, colour, raw)) continue;
      properties[properties.length] = [prefix + name, value];
    }
  }
  return properties;
}

/**
 * Values whose meaning depends on the rest of the style.
 * @param {string} name @param {string} value @param {string[]} always
 */
function valueHere(name, value, always) {
  if (name === 'text-align' && (value === 'left' || value === 'right')) {
    return (value === 'left') === (always[STYLE_AT.direction] !== 'rtl') ? 'start' : 'end';
  }
  if (name === 'display' && value === '-webkit-box' && isStyleSet(always[STYLE_AT.clamp])) return 'flow-root';
  return value;
}

/**
 * Initial values whose computed form depends on other properties.
 * @param {string} name @param {string} value @param {string} initial @param {string} colour @param {Raw} raw
 */
function isInitialHere(name, value, initial, colour, raw) {
  if (initial === 'currentcolor' || name === '-webkit-text-fill-color') return value === colour || value === 'auto';
  if (name === 'min-width' || name === 'min-height') return value === '0px' && !raw.item;
  if (name === 'overflow-x' || name === 'overflow-y') return raw.leaf;
  // WebKitGTK shows a hand on links without saying so.
  if (name === 'cursor') return raw.link && value === 'pointer';
  if (name === 'display') return raw.inSvg && value === 'block';
  return false;
}

/** @param {Raw} raw @param {Dom} dom @returns {Facts} */
function factsOf(raw, dom) {
  const always = raw.parts[0].values;
  const display = always[STYLE_AT.display];
  const position = always[STYLE_AT.position];
  const opacity = +always[STYLE_AT.opacity];
  /** @param {RegExp} pattern @param {number} at */
  const has = (pattern, at) => dom.exec(pattern, always[at]) !== null;
  const changes = always[STYLE_AT.willChange];
  const willTransform = changes !== 'auto' && dom.exec(/transform|perspective|translate|rotate|scale|filter/, changes) !== null;
  const contains = has(/paint|strict|content|layout/, STYLE_AT.contain) || styleSkips(always[STYLE_AT.skips]);
  const holdsFixed = isTransformed(always) || isStyleSet(always[STYLE_AT.filter]) || isStyleSet(always[STYLE_AT.backdrop]) || willTransform || contains;
  const zed = always[STYLE_AT.z] === 'auto' || always[STYLE_AT.z] === '' ? null : +always[STYLE_AT.z];
  const positioned = position !== 'static';
  const space = always[STYLE_AT.space];
  return {
    display, position,
    hidden: always[STYLE_AT.visibility] !== 'visible',
    transparent: opacity === 0,
    clipsX: styleClips(always[STYLE_AT.overflowX]) || has(/paint|strict|content/, STYLE_AT.contain),
    clipsY: styleClips(always[STYLE_AT.overflowY]) || has(/paint|strict|content/, STYLE_AT.contain),
    z: zed,
    context:
      holdsFixed || opacity < 1 || position === 'fixed' || position === 'sticky' || (zed !== null && (positioned || raw.item)) ||
      isStyleSet(always[STYLE_AT.clipPath]) || isStyleSet(always[STYLE_AT.mask]) || always[STYLE_AT.isolation] === 'isolate' || styleBlends(always[STYLE_AT.blend]) ||
      dom.exec(/opacity|z-index|position/, changes) !== null,
    holdsFixed,
    container: always[STYLE_AT.container] !== 'normal' && always[STYLE_AT.container] !== '',
    keepsSpace: space === 'pre' || space === 'pre-wrap' || space === 'break-spaces',
    keepsLines: space === 'pre-line',
    skipsContent: always[STYLE_AT.skips] === 'hidden',
    cutAway: has(/^inset\((?:50|[5-9]\d|100)%\)$|^circle\(0px|^polygon\(0px 0px, 0px 0px, 0px 0px/, STYLE_AT.clipPath),
    items: itemsOf(display),
    zoom: +always[STYLE_AT.zoom] || 1,
    vertical: always[STYLE_AT.writing] !== 'horizontal-tb' && always[STYLE_AT.writing] !== '',
    otherLetters: isStyleSet(always[STYLE_AT.letters]),
    hyphenates: always[STYLE_AT.hyphens] === 'auto',
  };
}

/** @param {string} overflow */
function styleClips(overflow) {
  return overflow !== 'visible' && overflow !== '';
}

/** @param {string} visibility */
function styleSkips(visibility) {
  return visibility === 'hidden' || visibility === 'auto';
}

/** @param {string} mode */
function styleBlends(mode) {
  return mode !== 'normal' && mode !== '';
}
