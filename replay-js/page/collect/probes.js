// Which elements may have another computed style than at the last checkpoint?
//
// Reading the styles of a whole page costs ten times as much as everything else together, and engines offer no "changed
// since". But a computed style is a function of state that can be read cheaply: attributes and children (the walk compares
// them), the style rules and the viewport (whole page again when they change), running animations, sizes of query containers,
// and dynamic pseudo-classes. This module answers for the last two kinds: it asks the engine which elements match each
// pseudo-class that could matter (`querySelectorAll`, native speed) and turns the answers into one comparable string per element.
//
// How far a change reaches is answered by `reach.js`: never further than the parent's descendants. Only `:has()` reaches
// further; selectors with it are asked whole, so that what they reach is seen as a change by itself.
import { selectAll } from '../target/select.js';
import { SVG_NAMESPACE } from './namespace.js';
import { NOT_DEFINED, createReach } from './reach.js';
import { withoutPseudoElements } from './selectors.js';

/** @typedef {import('./dom.js').Dom} Dom */

/** Used by the engines' own style sheets; asked always. */
const STANDING_PROBES = [
  ':hover', ':active', ':focus', ':focus-visible', ':focus-within', ':checked', ':disabled', ':indeterminate', ':placeholder-shown',
  ':autofill', ':modal', ':popover-open', ':fullscreen', ':open', ':target', ':default', ':read-write', NOT_DEFINED,
];
/** Drawn above everything. */
const TOP_LAYER_PROBES = [':modal', ':popover-open', ':fullscreen'];
/** Asked too where sheets cannot be read, because they may use them. */
const UNSEEN_PROBES = [':invalid', ':user-invalid', ':user-valid', ':out-of-range', ':muted', ':playing', ':picture-in-picture', ':dir(rtl)', ':empty'];

/** Functions of attributes and position, which the walk compares; or not about elements. */
const STRUCTURAL_PSEUDO = /^:(?:root|first-child|last-child|only-child|nth-|first-of|last-of|only-of|not|is|where|has|matches|any|-webkit-any|-moz-any|host|scope|defined|link|visited|any-link|before|after|first-line|first-letter|lang|slotted|part|global|deep|v-deep)/;
const PROBE_LIMIT = 60;

/**
 * @typedef {{selectors: string[], everywhere: boolean, generates: Record<string, boolean>, topLayer: string, reach: import('./reach.js').Reach}} Probes
 * `everywhere`: some rule's reach cannot be known, so any change makes every style doubtful. `topLayer`: a selector, or nothing.
 */

/**
 * @param {Dom} dom @param {any} root
 * @param {{selectors: import('./reach.js').Selector[], conditions: string[], unreadable: boolean}} rules what stands in the style sheets
 * @returns {Probes}
 */
export function chooseProbes(dom, root, rules) {
  const wanted = dom.makeMap();
  /** @type {string[]} */
  const selectors = [];
  let everywhere = rules.unreadable;
  const generates = { '::before': rules.unreadable, '::after': rules.unreadable };
  /** @param {string} selector */
  const want = selector => {
    if (dom.mapHas(wanted, selector)) return true;
    dom.mapSet(wanted, selector, true);
    if (!isSupported(dom, root, selector)) return false;
    selectors[selectors.length] = selector;
    return true;
  };
  for (let at = 0; at < STANDING_PROBES.length; at++) want(STANDING_PROBES[at]);
  if (rules.unreadable) for (let at = 0; at < UNSEEN_PROBES.length; at++) want(UNSEEN_PROBES[at]);
  for (let at = 0; at < rules.selectors.length; at++) {
    const selector = rules.selectors[at].text;
    if (dom.findText(selector, ':') < 0) continue;
    if (dom.findText(selector, ':before') >= 0) generates['::before'] = true;
    if (dom.findText(selector, ':after') >= 0) generates['::after'] = true;
    if (dom.findText(selector, ':has(') >= 0 && !want(withoutPseudoElements(selector, dom))) everywhere = true;
    const name = /:(:?)([a-zA-Z-]+)(\([^()]*\))?/g;
    for (let match = dom.exec(name, selector); match; match = dom.exec(name, selector)) {
      if (match[1] || dom.exec(STRUCTURAL_PSEUDO, match[0])) continue;
      want(match[0]);
    }
  }
  for (let at = 0; at < rules.conditions.length; at++) {
    if (dom.exec(/^@container.*scroll-state|^@position-try/, rules.conditions[at])) everywhere = true;
  }
  if (selectors.length > PROBE_LIMIT) {
    selectors.length = STANDING_PROBES.length;
    everywhere = true;
  }
  let topLayer = '';
  for (let at = 0; at < TOP_LAYER_PROBES.length; at++) {
    if (isSupported(dom, root, TOP_LAYER_PROBES[at])) topLayer += (topLayer ? ', ' : '') + TOP_LAYER_PROBES[at];
  }
  return { selectors, everywhere, generates, topLayer, reach: createReach(dom, rules.selectors, rules.conditions) };
}

/** @param {Dom} dom @param {any} root @param {string} selector */
function isSupported(dom, root, selector) {
  try {
    dom.queryDocument(root, selector);
    return true;
  } catch {
    // A selector the engine refuses here matches nothing here; its rule was dropped, or is scoped.
    return false;
  }
}

/**
 * For each element that matches any probe, the numbers of those it matches: ` 3 14 `.
 * @param {Dom} dom @param {any[]} roots @param {Probes} probes
 * @returns {any} Map from element to string
 */
export function askProbes(dom, roots, probes) {
  const answers = dom.makeMap();
  for (let probe = 0; probe < probes.selectors.length; probe++) {
    for (let at = 0; at < roots.length; at++) {
      const matched = selectAll(dom, roots[at], probes.selectors[probe]);
      for (let index = 0; index < matched.length; index++) {
        const element = matched[index];
        dom.mapSet(answers, element, (dom.mapGet(answers, element) || ' ') + probe + ' ');
      }
    }
  }
  return answers;
}

/**
 * Elements whose style is moved by animations now, also SVG's own, which `getAnimations` does not list.
 * @param {Dom} dom @param {any[]} roots
 * @returns {any} Map from element to true
 */
export function animatedElements(dom, roots) {
  const animated = dom.makeMap();
  for (let at = 0; at < roots.length; at++) {
    const isDocument = dom.nodeType(roots[at]) === 9;
    const running = (isDocument ? dom.animations(roots[at]) : dom.shadowAnimations(roots[at])) || [];
    for (let index = 0; index < running.length; index++) {
      const effect = dom.animationEffect(running[index]);
      const target = effect && dom.effectTarget(effect);
      if (target) dom.mapSet(animated, target, true);
    }
    const motions = selectAll(dom, roots[at], 'animate, set, animateTransform, animateMotion');
    for (let index = 0; index < motions.length; index++) {
      const target = dom.namespace(motions[index]) === SVG_NAMESPACE && dom.motionTarget(motions[index]);
      if (target) dom.mapSet(animated, target, true);
    }
  }
  return animated;
}
