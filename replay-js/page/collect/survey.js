// The first of two passes over a document: what is there, and what is different from the last time.
//
// Every node has a record for its life (a WeakMap, so that a removed node can go). The pass compares attributes, children,
// text and matched pseudo-classes with the record, which needs no MutationObserver: what was changed and changed back is
// no change, and shadow roots that appeared meanwhile are seen like all else. It reads no layout and no styles.
import { HTML_NAMESPACE, SVG_NAMESPACE } from './namespace.js';
import { createBlobNames } from './blobs.js';
import { createDeclarationReader } from './declarations.js';
import { higher } from './reach.js';
import { selectAll, selectBelow } from '../target/select.js';

/**
 * @typedef {import('./dom.js').Dom} Dom
 * @typedef {{
 *   id: number, node: any, tag: string, text: string, blank: boolean, attributes: [string, string][], names: string[], values: (string | null)[], state: string,
 *   animated: boolean, reach: number, parent: Rec | null, kids: Rec[], kidsReach: number, svg: boolean,
 *   style: import('./styles.js').Style | null, rect: import('./boxes.js').Rect, near: string, written: string | null, measured: boolean, tellsMeasured: boolean, sent: any, seen: number
 * }} Rec
 */

const CONTENT_FREE_TAGS = { __proto__: null, script: 1, style: 1, template: 1, noscript: 1 };
/** Of more elements than these it is not asked which are below them, but which are in the page. */
const MOST_ASKED = 4;

/**
 * @param {Dom} dom
 * @param {(host: any) => any} shadowOf
 */
export function createSurvey(dom, shadowOf) {
  const records = dom.makeWeakMap();
  const declarations = createDeclarationReader(dom);
  const withoutBlobs = createBlobNames(dom);
  let lastId = 0;
  let changed = false;
  /** @type {import('./reach.js').Reach} */
  let reach;
  /** @type {string[]} */
  let selectors;
  /** @type {any} */
  let states;
  /** @type {any} */
  let animated;

  return {
    /**
     * @param {any} document @param {import('./probes.js').Probes} probes
     * @param {any} nowStates Map from element to the probes it matches @param {any} nowAnimated Map from element to true
     * @param {any[]} roots the document and its shadow trees
     * @returns {{root: Rec | null, changed: boolean, everywhere: boolean}} `everywhere`: how far a change reaches could not be asked
     */
    look(document, probes, nowStates, nowAnimated, roots) {
      reach = probes.reach;
      selectors = probes.selectors;
      states = nowStates;
      animated = nowAnimated;
      changed = false;
      const element = dom.rootElement(document);
      if (!element) return { root: null, changed, everywhere: false };
      const root = recordOf(element, 1);
      compareElement(root);
      compareKids(root);
      return { root, changed, everywhere: !markTargets(roots) };
    },
  };

  /** What changes reach elsewhere in the page. @param {any[]} roots @returns {boolean} whether all of it was found */
  function markTargets(roots) {
    let found = true;
    dom.mapEach(reach.takeTargets(), (/** @type {import('./reach.js').Target} */ { inherited, within }, /** @type {string} */ target) => {
      const level = inherited ? 2 : 1;
      try {
        if (within.length <= MOST_ASKED) {
          for (let at = 0; at < within.length; at++) markAll(selectBelow(dom, within[at].node, target), level);
        }
        for (let at = within.length <= MOST_ASKED ? 1 : 0; at < roots.length; at++) markAll(selectAll(dom, roots[at], target), level);
      } catch {
        // Selectors that a style sheet can have and a question can not: those with namespaces.
        found = false;
      }
    });
    return found;
  }

  /** @param {any[]} elements @param {number} level */
  function markAll(elements, level) {
    for (let at = 0; at < elements.length; at++) {
      const record = dom.mapGet(records, elements[at]);
      if (record) record.reach = higher(record.reach, level);
    }
  }

  /** @param {any} node @param {number} type @returns {Rec} */
  function recordOf(node, type) {
    let record = dom.mapGet(records, node);
    if (!record) {
      const tag = type === 1 ? dom.lower(dom.localName(node)) : type === 3 ? '#text' : '#shadow';
      record = {
        id: ++lastId, node, tag, text: '', blank: false, attributes: [], names: [], values: [], state: ' ', animated: false, reach: 0, parent: null, kids: [],
        kidsReach: 0, svg: type === 1 && dom.namespace(node) === SVG_NAMESPACE, style: null, rect: [0, 0, 0, 0], near: '', written: null, measured: false, tellsMeasured: false, sent: null, seen: 0,
      };
      dom.mapSet(records, node, record);
      changed = true;
    }
    return record;
  }

  /** Brings the record up to date and finds how far its changes reach. @param {Rec} record */
  function compareElement(record) {
    const { node } = record;
    const names = dom.attributeNames(node);
    let same = names.length === record.names.length;
    const values = [];
    for (let at = 0; at < names.length; at++) {
      values[at] = dom.attribute(node, names[at]);
      same = same && names[at] === record.names[at] && values[at] === record.values[at];
    }
    const state = dom.mapGet(states, node) || ' ';
    const moves = dom.mapHas(animated, node);
    record.reach = moves || record.animated ? 1 : 0;
    // One that is new is read in any case, and its siblings by its having come.
    if (record.seen && (!same || state !== record.state)) {
      const who = reach.who(record, names, values);
      record.reach = higher(record.reach, higher(reachOfLost(who, record.names, record.values, names, values), reachOfLost(who, names, values, record.names, record.values)));
      record.reach = higher(record.reach, higher(reachOfStates(who, record.state, state), reachOfStates(who, state, record.state)));
    }
    record.state = state;
    if (!same) {
      record.attributes = attributesOf(node, names);
      record.names = names;
      record.values = values;
    }
    record.animated = moves;
    if (!same || record.reach) changed = true;
  }

  /**
   * Of attributes that the others lack or have with another value.
   * @param {import('./reach.js').Who} who @param {string[]} names @param {(string | null)[]} values @param {string[]} others @param {(string | null)[]} otherValues
   */
  function reachOfLost(who, names, values, others, otherValues) {
    let level = 0;
    for (let at = 0; at < names.length; at++) {
      const value = attributeIn(names[at], others, otherValues);
      if (value !== values[at]) level = higher(level, reach.ofAttribute(who, names[at], value, values[at]));
    }
    return level;
  }

  /** Of probes that only the first answers name. @param {import('./reach.js').Who} who @param {string} some @param {string} others */
  function reachOfStates(who, some, others) {
    let level = 0;
    const number = /\d+/g;
    for (let match = dom.exec(number, some); match; match = dom.exec(number, some)) {
      if (dom.findText(others, ' ' + match[0] + ' ') < 0) level = higher(level, reach.ofProbe(who, selectors[+match[0]]));
    }
    return level;
  }

  /** A style attribute that a script wrote to is the engine's spelling of it, so all are spelled anew. @param {any} node */
  function inlineStyle(node) {
    const block = dom.namespace(node) === HTML_NAMESPACE ? dom.htmlStyle(node) : dom.namespace(node) === SVG_NAMESPACE ? dom.svgStyle(node) : null;
    if (!block) return null;
    const pairs = declarations.read(block, dom.attribute(node, 'style') || '');
    let text = '';
    for (let at = 0; at < pairs.length; at++) text += (at ? ' ' : '') + pairs[at][0] + ': ' + pairs[at][1] + ';';
    return text;
  }

  /** @param {any} node @param {string[]} names @returns {[string, string][]} */
  function attributesOf(node, names) {
    /** @type {[string, string][]} */
    const attributes = [];
    for (let at = 0; at < names.length; at++) {
      // A nonce is new in every response, and hidden from scripts by most engines anyway.
      if (names[at] === 'nonce') continue;
      const value = names[at] === 'style' ? inlineStyle(node) : null;
      attributes[attributes.length] = [names[at], withoutBlobs(value === null ? dom.attribute(node, names[at]) || '' : value)];
    }
    dom.sort(attributes, (/** @type {[string, string]} */ a, /** @type {[string, string]} */ b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
    return attributes;
  }

  /** @param {Rec} parent */
  function compareKids(parent) {
    /** @type {Rec[]} */
    const kids = [];
    let farthest = 0;
    let shadow = null;
    if (!(parent.tag in CONTENT_FREE_TAGS)) {
      shadow = parent.tag === '#shadow' ? null : shadowOf(parent.node);
      if (shadow) {
        kids[0] = recordOf(shadow, 11);
        kids[0].parent = parent;
      }
      for (let child = dom.firstChild(parent.node); child; child = dom.nextSibling(child)) {
        const type = dom.nodeType(child);
        if (type !== 1 && type !== 3 && type !== 4) continue;
        const kid = recordOf(child, type === 4 ? 3 : type);
        kids[kids.length] = kid;
        if (type === 1) {
          const isNewHere = kid.parent !== parent;
          kid.parent = parent;
          compareElement(kid);
          // Other rules may reach it and what it holds than where it was before.
          if (isNewHere) kid.reach = higher(kid.reach, 2);
          farthest = higher(farthest, kid.reach);
        } else {
          kid.parent = parent;
          compareText(kid);
        }
      }
    }
    parent.kidsReach = farthest === 3 ? 2 : 0;
    if (!sameElements(parent.kids, kids)) {
      changed = true;
      // Slots are filled by position and name: what is inside the shadow tree depends on who is outside.
      parent.kidsReach = shadow ? 2 : higher(parent.kidsReach, reach.ofPosition(parent, kids));
    }
    if (shadow && farthest) parent.kidsReach = 2;
    parent.kids = kids;
    for (let at = 0; at < kids.length; at++) if (kids[at].tag !== '#text') compareKids(kids[at]);
  }

  /** @param {Rec} record */
  function compareText(record) {
    const text = dom.textOf(record.node);
    if (text === record.text && text !== '') return;
    record.text = text;
    record.blank = dom.exec(/[^\t\n\f\r ]/, text) === null;
  }
}

/** @param {string} name @param {string[]} names @param {(string | null)[]} values */
function attributeIn(name, names, values) {
  for (let at = 0; at < names.length; at++) if (names[at] === name) return values[at];
  return null;
}

/** Text between elements moves no selector. @param {Rec[]} before @param {Rec[]} now */
function sameElements(before, now) {
  let at = 0;
  let other = 0;
  for (;;) {
    while (at < before.length && before[at].tag === '#text') at++;
    while (other < now.length && now[other].tag === '#text') other++;
    const one = at < before.length ? before[at] : null;
    const two = other < now.length ? now[other] : null;
    if (one !== two) return false;
    if (!one) return true;
    at++;
    other++;
  }
}
