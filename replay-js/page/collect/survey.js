// The first of two passes over a document: what is there, and what is different from the last time.
//
// Every node has a record for its life (a WeakMap, so that a removed node can go). The pass compares attributes, children,
// text and matched pseudo-classes with the record, which needs no MutationObserver: what was changed and changed back is
// no change, and shadow roots that appeared meanwhile are seen like all else. It reads no layout and no styles.

/**
 * @typedef {import('./dom.js').Dom} Dom
 * @typedef {{
 *   id: number, node: any, tag: string, text: string, blank: boolean, attributes: [string, string][], spelled: string, state: string,
 *   empty: boolean, animated: boolean, kids: Rec[], kidsChanged: boolean, svg: boolean,
 *   style: import('./styles.js').Style | null, rect: import('./boxes.js').Rect, near: string, sent: any, seen: number
 * }} Rec
 */

const CONTENT_FREE_TAGS = { __proto__: null, script: 1, style: 1, template: 1, noscript: 1 };
const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

/**
 * @param {Dom} dom
 * @param {(host: any) => any} shadowOf
 */
export function createSurvey(dom, shadowOf) {
  const records = dom.makeWeakMap();
  let lastId = 0;
  let changed = false;
  /** @type {any} */
  let states;
  /** @type {any} */
  let animated;

  return {
    /**
     * @param {any} document
     * @param {any} nowStates Map from element to the pseudo-classes it matches @param {any} nowAnimated Map from element to true
     * @returns {{root: Rec | null, changed: boolean}}
     */
    look(document, nowStates, nowAnimated) {
      states = nowStates;
      animated = nowAnimated;
      changed = false;
      const element = dom.rootElement(document);
      if (!element) return { root: null, changed };
      const root = recordOf(element, 1);
      compareElement(root);
      compareKids(root);
      return { root, changed };
    },
  };

  /** @param {any} node @param {number} type @returns {Rec} */
  function recordOf(node, type) {
    let record = dom.weakGet(records, node);
    if (!record) {
      const tag = type === 1 ? dom.lower(dom.localName(node)) : type === 3 ? '#text' : '#shadow';
      record = {
        id: ++lastId, node, tag, text: '', blank: false, attributes: [], spelled: '', state: '', empty: true, animated: false, kids: [],
        kidsChanged: true, svg: type === 1 && dom.namespace(node) === SVG_NAMESPACE, style: null, rect: [0, 0, 0, 0], near: '', sent: null, seen: 0,
      };
      dom.weakSet(records, node, record);
      changed = true;
    }
    return record;
  }

  /** Brings the record up to date and tells whether a selector could notice. @param {Rec} record */
  function compareElement(record) {
    const { node } = record;
    const names = dom.attributeNames(node);
    let spelled = '';
    for (let at = 0; at < names.length; at++) spelled += names[at] + '\u0000' + dom.attribute(node, names[at]) + '\u0000';
    const state = dom.mapGet(states, node) || '';
    const empty = !dom.firstChild(node);
    const moves = dom.mapHas(animated, node);
    const same = spelled === record.spelled && state === record.state && empty === record.empty && !moves && !record.animated;
    if (spelled !== record.spelled) record.attributes = attributesOf(node, names);
    record.spelled = spelled;
    record.state = state;
    record.empty = empty;
    record.animated = moves;
    if (!same) changed = true;
    return same;
  }

  /** @param {any} node @param {string[]} names @returns {[string, string][]} */
  function attributesOf(node, names) {
    /** @type {[string, string][]} */
    const attributes = [];
    for (let at = 0; at < names.length; at++) {
      // A nonce is new in every response, and hidden from scripts by most engines anyway.
      if (names[at] !== 'nonce') attributes[attributes.length] = [names[at], dom.attribute(node, names[at])];
    }
    dom.sort(attributes, (/** @type {[string, string]} */ a, /** @type {[string, string]} */ b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
    return attributes;
  }

  /** @param {Rec} parent */
  function compareKids(parent) {
    /** @type {Rec[]} */
    const kids = [];
    let same = true;
    if (!(parent.tag in CONTENT_FREE_TAGS)) {
      const shadow = parent.tag === '#shadow' ? null : shadowOf(parent.node);
      if (shadow) kids[0] = recordOf(shadow, 11);
      for (let child = dom.firstChild(parent.node); child; child = dom.nextSibling(child)) {
        const type = dom.nodeType(child);
        if (type !== 1 && type !== 3 && type !== 4) continue;
        const kid = recordOf(child, type === 4 ? 3 : type);
        kids[kids.length] = kid;
        if (type === 1) {
          if (!compareElement(kid)) same = false;
        } else {
          compareText(kid);
        }
      }
    }
    if (!sameElements(parent.kids, kids)) {
      same = false;
      changed = true;
    }
    parent.kids = kids;
    parent.kidsChanged = !same;
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
