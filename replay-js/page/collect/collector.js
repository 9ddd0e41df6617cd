// Page data of one document: `DocumentData` of the trace crate (`trace/src/page.rs`), in the same names, as plain JSON.
//
// Two passes: the survey finds what is there and what changed; the second, in document order, reads boxes of everything and
// styles where they may have changed, and keeps only nodes that differ from what was sent. Nothing is ever written
// to the page, so it is laid out once, at the first read. Whole data forgets what it knew and reads all again; ids stay.
import { HTML_NAMESPACE } from './namespace.js';
import { selectAll } from '../target/select.js';
import { rootsOf } from '../target/roots.js';
import { UNCLIPPED, clipBy, elementRect, emptyRect, showsWithin, textRect } from './boxes.js';
import { isSameNode, withoutDefaults } from './described.js';
import { BOXLESS, DEFINITIONS, placesFor } from './flat.js';
import { FOCUSED, focusedElement } from './focused.js';
import { createLayers } from './layers.js';
import { liveProperties, naturalSize } from './live.js';
import { animatedElements, askProbes, chooseProbes } from './probes.js';
import { createRuleReader } from './rules.js';
import { selectedWords } from './selected.js';
import { maySkip } from './skipping.js';
import { createStyles } from './styles.js';
import { createSurvey } from './survey.js';
import { HYPHENATED_TEXT, brokenWord } from './hyphenated.js';
import { MEASURED_TEXT, SHOWN_TEXT, hasDigit, readOut, shownText } from './written.js';

/**
 * @typedef {import('./dom.js').Dom} Dom
 * @typedef {import('./survey.js').Rec} Rec
 * @typedef {import('./styles.js').Facts} Facts
 * @typedef {import('./boxes.js').Clip} Clip
 * @typedef {import('./layers.js').Layer} Layer
 */

/**
 * What the ancestors hand down.
 * @typedef {{
 *   id: number, facts: Facts | null, doubtful: boolean, kids: number, rendered: boolean, faded: boolean, unseen: boolean, alongPath: boolean, clip: Clip, clipAbsolute: Clip, clipFixed: Clip,
 *   layer: Layer, context: Layer, rect: import('./boxes.js').Rect, size: string, scale: number
 * }} Around
 */

/**
 * @param {Dom} dom
 * @param {{load: number, path: number[], watch?: import('./page-watch.js').PageWatch, hasMeasured?: () => boolean}} options
 */
export function createCollector(dom, options) {
  const document = dom.document;
  const shadowOf = options.watch ? options.watch.shadowOf : dom.openShadow;
  const survey = createSurvey(dom, shadowOf);
  const styles = createStyles(dom);
  const sheets = createRuleReader(dom, options.watch ? options.watch.rulesEdited : () => false);
  /** @type {any[]} everything sent and not yet removed, in document order */
  let present = [];
  let round = 0;
  let stylesSent = 0;
  let surroundings = '';
  /** @type {import('./probes.js').Probes | null} */
  let probes = null;

  /** Rules that were read ahead of `collect`. @type {ReturnType<typeof sheets.read>} */
  let readAhead = null;

  // State of the pass that is running.
  let contentOnly = false;
  let dx = 0, dy = 0;
  /** @type {any} */
  let range;
  /** @type {ReturnType<typeof createLayers>} */
  let layers;
  /** @type {any} Map from element to true */
  let topLayer;
  /** @type {any} Map from a slotted node to what its slot hands down */
  let slotted;
  /** @type {{record: Rec, out: any, layer: Layer}[]} */
  let passed = [];
  let doubts = 0;
  let hasMeasured = false;
  /** @type {ReturnType<typeof selectedWords>} */
  let selected;
  /** @type {any} */
  let focused;

  return { collect, skipsUnseen, readSheets, unheard: sheets.unheard, learn };

  /** Ahead of `collect`, so that it is known which sheets cannot be read. */
  function readSheets() {
    readAhead = sheets.read(rootsOf(dom, document, shadowOf), round === 0 && !readAhead) || readAhead;
  }

  /**
   * What stands in a sheet that cannot be read.
   * @param {string} address
   * @param {string | null} text
   */
  function learn(address, text) {
    sheets.learn(address, text);
    probes = null;
  }

  /** Whether collecting has to wait for a frame in which the engine finds out what it draws. */
  function skipsUnseen() {
    const roots = rootsOf(dom, document, shadowOf);
    readSheets();
    return styles.skipUnseen() || maySkip(dom, roots, sheets.contents(), round === 0);
  }

  /**
   * @param {boolean} [whole]
   * @param {boolean} [asContent] what is there and whether it shows, with no styles and no boxes of texts
   */
  function collect(whole = false, asContent = false) {
    contentOnly = asContent;
    const isWhole = whole || round === 0;
    hasMeasured = !!options.hasMeasured && options.hasMeasured();
    round++;
    const roots = rootsOf(dom, document, shadowOf);
    const rules = sheets.read(roots, isWhole && !readAhead) || readAhead;
    readAhead = null;
    const asksAnew = rules !== null || !probes;
    if (asksAnew || !probes) probes = chooseProbes(dom, document, sheets.contents());
    const { root, changed, everywhere } = survey.look(document, probes, askProbes(dom, roots, probes), animatedElements(dom, roots), roots);

    const around = [dom.innerWidth(), dom.innerHeight(), dom.pixelRatio(), dom.mediaMatches('(prefers-color-scheme: dark)'), dom.mediaMatches('print')];
    const nowSurroundings = dom.join(around, ' ');
    const allDoubtful = isWhole || asksAnew || nowSurroundings !== surroundings || everywhere || (changed && probes.everywhere);
    surroundings = nowSurroundings;

    startPass(roots);
    const head = measureDocument();
    if (root) visit(root, 0, firstAround(head, allDoubtful));
    return { ...head, ...finishPass(isWhole), rules };
  }

  function measureDocument() {
    const element = dom.rootElement(document);
    const scroller = dom.scrollingElement(document) || element;
    dx = scroller ? dom.scrollLeft(scroller) : 0;
    dy = scroller ? dom.scrollTop(scroller) : 0;
    const width = scroller ? dom.scrollWidth(scroller) : 0, height = scroller ? dom.scrollHeight(scroller) : 0;
    return {
      load: options.load,
      url: dom.url(document),
      path: options.path,
      mode: dom.compatMode(document),
      origin: [0, 0],
      viewport: [dom.innerWidth(), dom.innerHeight()],
      page: [width, height],
      scroll: [dom.step(dx), dom.step(dy)],
      title: dom.title(document),
    };
  }

  /** @param {any[]} roots */
  function startPass(roots) {
    range = dom.createRange(document);
    layers = createLayers(dom);
    passed = [];
    doubts = 0;
    selected = selectedWords(dom, roots);
    focused = focusedElement(dom);
    topLayer = dom.makeMap();
    slotted = dom.makeMap();
    const { topLayer: selector } = /** @type {import('./probes.js').Probes} */ (probes);
    for (let at = 0; selector && at < roots.length; at++) {
      const found = selectAll(dom, roots[at], selector);
      for (let index = 0; index < found.length; index++) dom.mapSet(topLayer, found[index], true);
    }
  }

  /** @param {ReturnType<typeof measureDocument>} head @param {boolean} doubtful @returns {Around} */
  function firstAround(head, doubtful) {
    const root = dom.rootElement(document);
    const leftwards = dom.styleValue(dom.computedStyle(root, null), 'direction') === 'rtl';
    // Nothing scrolls to what lies before the page's beginning, and nothing brings a fixed box into the viewport.
    const page = { ...UNCLIPPED, left: leftwards ? -Infinity : 0, top: 0 };
    const window = { left: dx, top: dy, right: dx + head.viewport[0], bottom: dy + head.viewport[1] };
    return {
      id: 0, facts: null, doubtful, kids: 0, rendered: true, faded: false, unseen: false, alongPath: false, clip: page, clipAbsolute: page, clipFixed: window,
      layer: layers.root, context: layers.root, rect: emptyRect(), size: '', scale: 1,
    };
  }

  /** @param {Rec} record @param {number} index @param {Around} around */
  function visit(record, index, around) {
    if (record.tag === '#text') return visitText(record, index, around);
    if (record.tag === '#shadow') return visitShadow(record, index, around);
    /** @type {{record: Rec, out: any, layer: Layer}} */
    const entry = { record, out: null, layer: around.layer };
    passed[passed.length] = entry;
    const inner = around.rendered ? measure(record, around, entry) : hide(record, around);
    const facts = record.style && record.style.facts;
    const shown = around.rendered && facts && !facts.hidden && !around.faded && !inner.faded && !facts.cutAway;
    // Editors hide the field that takes what is typed in a few pixels, and how far that scrolls to its caret nobody sees.
    const isPane = !!facts && (facts.clipsX || facts.clipsY) && record.rect[2] > 4 && record.rect[3] > 4;
    const live = liveProperties(dom, record.node, record.tag, isPane, isPageScroller(record));
    noteWritten(record, readOut(live) + readOut(record.attributes), record);
    if (record.measured) live[live.length] = [MEASURED_TEXT, ''];
    if (record.node === focused) live[live.length] = [FOCUSED, 'true'];
    const clip = !facts || facts.position === 'static' ? around.clip : facts.position === 'fixed' ? around.clipFixed : facts.position === 'absolute' ? around.clipAbsolute : around.clip;
    entry.out = describe(record, index, around.id, {
      attributes: record.attributes,
      properties: live,
      visible: !!shown && showsWithin(record.rect, clip),
      style: record.style ? record.style.index : 0,
      natural: naturalSize(dom, record.node, record.tag),
    });
    visitKids(record, inner);
  }

  /** @param {Rec} record @param {Around} inner */
  function visitKids(record, inner) {
    let position = 0;
    const kids = record.kids;
    if (record.tag === 'slot' && inner.rendered) openSlot(record, inner);
    const showsKid = inner.rendered ? placesFor(dom, record, slotted) : null;
    for (let at = 0; at < kids.length; at++) {
      const kid = kids[at];
      if (kid.tag === '#text' && kid.blank && !keepsBlank(kid.text, inner)) continue;
      const before = doubts;
      visit(kid, position++, showsKid && !showsKid(kid) ? { ...inner, rendered: false } : throughSlot(kid, inner));
      // Slotted children inherit from the slots they stand in.
      if (kid.tag === '#shadow' && doubts !== before) inner = { ...inner, doubtful: true };
    }
  }

  /** What is put into a slot is clipped, faded and layered as the slot's children would be. @param {Rec} slot @param {Around} inner */
  function openSlot(slot, inner) {
    if (dom.namespace(slot.node) !== HTML_NAMESPACE) return;
    const assigned = dom.assignedNodes(slot.node);
    for (let at = 0; at < assigned.length; at++) dom.mapSet(slotted, assigned[at], inner);
  }

  /** @param {Rec} kid @param {Around} inner @returns {Around} */
  function throughSlot(kid, inner) {
    const slot = kid.tag === '#shadow' ? null : dom.mapGet(slotted, kid.node);
    return slot ? { ...slot, id: inner.id, kids: inner.kids, doubtful: inner.doubtful || slot.doubtful } : inner;
  }

  /** @param {string} text @param {Around} inner */
  function keepsBlank(text, inner) {
    if (!inner.facts || !inner.rendered) return false;
    return inner.facts.keepsSpace || (inner.facts.keepsLines && dom.findText(text, '\n') >= 0);
  }

  /** @param {Rec} record @param {Around} around @param {{layer: Layer}} entry @returns {Around} */
  function measure(record, around, entry) {
    let doubtful = around.doubtful || around.kids > 1 || record.reach > 1;
    const { node } = record;
    // What a `margin: auto` comes to is told by Gecko too late of an element that skips its contents: the box has moved before.
    if (doubtful || around.kids || record.reach || !record.style || record.style.facts.skipsContent) {
      const before = record.style;
      readStyle(record, around);
      // What is inherited has changed, or nothing that can be seen has.
      if (before !== record.style) doubtful = true;
    }
    let facts = /** @type {import('./styles.js').Style} */ (record.style).facts;
    if (facts.display === 'none') {
      record.rect = emptyRect();
      record.near = '';
      return { ...hide(record, around, true) };
    }
    const scale = dom.zoomed ? 1 : around.scale * facts.zoom;
    const unseen = around.unseen || (record.svg && record.tag in DEFINITIONS);
    // Firefox tells boxes along a path in another scale than it draws them in: twice as wide as they are. What they are in has the right one.
    const alongPath = around.alongPath || (record.svg && record.tag === 'textpath');
    const rect = unseen || record.tag in BOXLESS ? emptyRect() : alongPath ? around.rect : elementRect(dom, node, dx, dy, scale);
    const near = rect[0] - around.rect[0] + ' ' + (rect[1] - around.rect[1]) + ' ' + rect[2] + ' ' + rect[3] + ' ' + around.size;
    if (near !== record.near) {
      // Margins, paddings and transforms are computed from sizes. A query container's size may also choose other rules inside.
      if (!doubtful && record.near !== '') {
        readStyle(record, around);
        facts = /** @type {import('./styles.js').Style} */ (record.style).facts;
      }
      if (facts.container) doubtful = true;
      record.near = near;
    }
    record.rect = rect;
    const own = facts.position === 'fixed' ? around.clipFixed : facts.position === 'absolute' ? around.clipAbsolute : around.clip;
    const styleClips = (facts.clipsX || facts.clipsY) && facts.display !== 'inline' && !isPageScroller(record);
    let inside = styleClips ? clipBy(dom, node, rect, own, facts.clipsX, facts.clipsY, scale) : own;
    if (facts.cutAway) inside = { left: 0, top: 0, right: 0, bottom: 0 };
    const placed = facts.position !== 'static' || facts.holdsFixed;
    const { own: ownLayer, layer, context } = layersOf(record, facts, around);
    entry.layer = ownLayer;
    return {
      id: record.id,
      facts: facts.display === 'contents' && around.facts ? { ...facts, items: around.facts.items } : facts,
      doubtful,
      kids: record.kidsReach,
      rendered: !facts.skipsContent,
      faded: around.faded || facts.transparent,
      unseen,
      alongPath,
      clip: inside,
      clipAbsolute: placed ? inside : around.clipAbsolute,
      clipFixed: facts.holdsFixed ? inside : around.clipFixed,
      layer,
      context,
      rect,
      size: rect[2] + ' ' + rect[3],
      scale,
    };
  }

  /** @param {Rec} record @param {Around} around */
  function readStyle(record, around) {
    const { generates } = /** @type {import('./probes.js').Probes} */ (probes);
    const quotes = record.tag === 'q';
    doubts++;
    record.style = contentOnly ? styles.readFacts(record.node, around.facts) : styles.read(record.node, record.tag, record.svg, around.facts, which => quotes || generates[which]);
  }

  /** @param {Rec} record @param {Facts} facts @param {Around} around */
  function layersOf(record, facts, around) {
    if (dom.mapHas(topLayer, record.node)) {
      const layer = layers.top();
      return { own: layers.ground(layer), layer, context: layer };
    }
    if (record.tag === 'html') return { own: around.layer, layer: around.layer, context: around.context };
    if (facts.context) {
      const layer = layers.above(around.context, facts.z === null ? 0 : facts.z);
      return { own: layers.ground(layer), layer, context: layer };
    }
    const layer = facts.position === 'static' ? around.layer : layers.above(around.context, 0);
    return { own: layer, layer, context: around.context };
  }

  /** Below what is not rendered there are no boxes and no styles worth a read. @param {Rec} record @param {Around} around @param {boolean} [keepStyle] @returns {Around} */
  function hide(record, around, keepStyle = false) {
    if (!keepStyle) record.style = null;
    record.rect = emptyRect();
    record.near = '';
    return { ...around, id: record.id, rendered: false, doubtful: false, kids: 0 };
  }

  /** @param {Rec} record @param {number} index @param {Around} around */
  function visitShadow(record, index, around) {
    passed[passed.length] = { record, out: describe(record, index, around.id, { visible: false }), layer: around.layer };
    visitKids(record, { ...around, id: record.id, doubtful: around.doubtful || around.kids > 1, kids: record.kidsReach });
  }

  /** @param {Rec} record @param {number} index @param {Around} around */
  function visitText(record, index, around) {
    let lines = 0;
    noteWritten(record, record.text, record.parent || record);
    record.rect = emptyRect();
    if (around.rendered && !around.unseen && around.facts && !record.blank && !contentOnly) {
      const box = around.alongPath ? { rect: around.rect, lines: 1 } : textRect(dom, range, record.node, dx, dy, around.facts.vertical, around.scale);
      record.rect = box.rect;
      lines = box.lines;
    }
    const visible = around.rendered && !!around.facts && !around.facts.hidden && !around.faded && showsWithin(record.rect, around.clip);
    passed[passed.length] = { record, out: describe(record, index, around.id, { text: record.text, lines, visible, properties: lines ? wordProperties(record, around, lines) : [] }), layer: around.layer };
  }

  /**
   * Numbers in it may be of what the page has just measured, or have come of a measured one that the element told before.
   * @param {Rec} record
   * @param {string} text
   * @param {Rec} element
   */
  function noteWritten(record, text, element) {
    if (record.written !== text) {
      record.written = text;
      record.measured = (hasMeasured || element.tellsMeasured) && hasDigit(text);
      element.tellsMeasured = element.tellsMeasured || record.measured;
    }
  }

  /** @param {Rec} record @param {Around} around @param {number} lines @returns {[string, string][]} */
  function wordProperties(record, around, lines) {
    const written = around.facts && around.facts.otherLetters ? shownText(dom, record.node) : '';
    /** @type {[string, string][]} */
    const all = [];
    if (written && written !== record.text) all[0] = [SHOWN_TEXT, written];
    if (record.measured) all[all.length] = [MEASURED_TEXT, ''];
    const broken = lines > 1 && around.facts && around.facts.hyphenates ? brokenWord(dom, range, record.node, record.text, around.facts.vertical) : '';
    if (broken) all[all.length] = [HYPHENATED_TEXT, broken];
    const properties = selected(record.node);
    if (properties.length) all[all.length] = properties[0];
    return all;
  }

  /** @param {Rec} record @param {number} index @param {number} parent @param {any} more */
  function describe(record, index, parent, more) {
    return {
      id: record.id, parent, index, tag: record.tag, attributes: more.attributes || [], properties: more.properties || [], text: more.text || '',
      rect: record.rect, lines: more.lines || 0, visible: more.visible, z: 0, style: more.style || 0, natural: more.natural || null,
    };
  }

  /** @param {boolean} whole */
  function finishPass(whole) {
    layers.rank();
    /** @type {any[]} */
    const nodes = [];
    for (let at = 0; at < passed.length; at++) {
      const { record, out, layer } = passed[at];
      out.z = layer.rank;
      if (whole || !record.sent || !isSameNode(record.sent, out)) nodes[nodes.length] = withoutDefaults(out);
      record.sent = out;
      record.seen = round;
    }
    /** @type {number[]} */
    const removed = [];
    for (let at = 0; at < present.length; at++) {
      if (present[at].seen === round) continue;
      if (!whole) removed[removed.length] = present[at].id;
      present[at].sent = null;
      present[at].style = null;
    }
    dom.sort(removed, (/** @type {number} */ a, /** @type {number} */ b) => a - b);
    present = [];
    for (let at = 0; at < passed.length; at++) present[at] = passed[at].record;
    passed = [];
    /** @type {any[]} */
    const sent = [];
    for (let at = whole ? 0 : stylesSent; at < styles.table.length; at++) sent[sent.length] = styles.table[at];
    stylesSent = styles.table.length;
    dom.selectContents(range, document);
    return { whole, nodes, removed, styles: sent };
  }

  /** The viewport takes over what these two say about overflow. @param {Rec} record */
  function isPageScroller(record) {
    return record.tag === 'html' || (record.tag === 'body' && record.node === dom.body(document));
  }
}
