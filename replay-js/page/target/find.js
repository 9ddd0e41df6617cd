// Finding a recorded target again. Every locator proposes elements; each proposal is then described as the recorder
// described the target, and the locators that agree are weighed against those that contradict. So one locator that went
// astray (a generated id, a moved element) is outvoted and noted, and a page that lacks the element gives none rather
// than whatever happens to stand in its place.
import { describeTarget, quoteForSelector } from './describe.js';
import { findElsewhere } from './elsewhere.js';
import { followPath, lastPathTag } from './path.js';
import { rootsOf } from './roots.js';
import { selectAll } from './select.js';

const TARGET_LOCATORS = ['id', 'test_id', 'role', 'name', 'text', 'path'];
const PROPOSAL_LIMIT = 500;
const TELLING_TEXT = 3;

/**
 * @typedef {import('./describe.js').Target} Target
 * @typedef {{element: any, used: string[], notes: string[]}} Found
 */

/**
 * @param {Target} target
 * @param {any} root the document
 * @param {import('./more-nodes.js').MoreNodes} nodes
 * @param {(host: any) => any} [shadowOf] also knows closed shadow roots, where the patch layer has seen them made
 * @returns {Found}
 */
export function findTarget(target, root, nodes, shadowOf = nodes.openShadow) {
  if (target.object === 'window') return { element: nodes.window, used: ['object'], notes: [] };
  if (target.object === 'document') return { element: nodes.document, used: ['object'], notes: [] };
  const byPath = target.path === undefined ? null : followPath(target.path, root, nodes, shadowOf);
  // No other one stands at its path: where nothing contradicts it, no other one can be more like it.
  const there = judgeTargets(target, byPath ? [byPath] : [], nodes);
  if (there.element && there.notes.length === 0) return there;
  const roots = rootsOf(nodes, root, shadowOf);
  const strong = proposeTargets(target, byPath, roots, nodes);
  const first = judgeTargets(target, strong, nodes);
  if (first.element && first.notes.length === 0) return first;
  // Something contradicts, so the weak locators may propose too: they need every element of the page.
  const found = judgeTargets(target, addMeaningful(strong, target, roots, nodes), nodes);
  return found.element ? found : findElsewhere(target, roots, nodes, shadowOf) || found;
}

/**
 * An id that a program made up: it may be another one in the next run.
 * @param {string} id @param {import('./more-nodes.js').MoreNodes} nodes
 */
export function looksGenerated(id, nodes) {
  /** @param {RegExp} pattern */
  const has = pattern => nodes.exec(pattern, id) !== null;
  return (
    has(/\d{3,}/) || // ember1234, 1700000000000
    has(/^[a-zA-Z_-]*[._:-]?\d+$/) && has(/^(ember|ext|gen|yui|ui-id|react|radix|headlessui|mui|downshift|el|uid|id|_)/i) ||
    has(/^:[a-zA-Z0-9]+:$/) || has(/«[^»]*»/) || has(/:r[0-9a-z]+:/) || // React's useId
    has(/[0-9a-f]{8}-[0-9a-f]{4}-/i) || // a UUID
    has(/(?=[a-z0-9]*\d[a-z0-9]*\d)(?=[a-z0-9]*[a-z])[a-z0-9]{10,}/i) // letters and digits mixed at length
  );
}

/**
 * Elements that the id, the test id and the path name.
 * @param {Target} target @param {any} byPath @param {any[]} roots @param {import('./more-nodes.js').MoreNodes} nodes
 */
function proposeTargets(target, byPath, roots, nodes) {
  /** @type {any[]} */
  const found = [];
  for (let at = 0; at < roots.length; at++) {
    if (target.id !== undefined) {
      addNewTargets(found, selectAll(nodes, roots[at], '[id=' + quoteForSelector(target.id, nodes) + ']'));
    }
    if (target.test_id !== undefined) addNewTargets(found, selectAll(nodes, roots[at], target.test_id));
  }
  if (byPath) addNewTargets(found, [byPath]);
  return found;
}

/**
 * Elements of the same role and name, or of the same tag and own text.
 * @param {any[]} found @param {Target} target @param {any[]} roots @param {import('./more-nodes.js').MoreNodes} nodes
 */
function addMeaningful(found, target, roots, nodes) {
  if (target.name === undefined && target.text === undefined) return found;
  const tag = lastPathTag(target.path, nodes);
  for (let at = 0; at < roots.length; at++) {
    const elements = selectAll(nodes, roots[at], tag || '*');
    for (let index = 0; index < elements.length && found.length < PROPOSAL_LIMIT; index++) {
      const like = describeTarget(elements[index], nodes);
      const sameName = target.name !== undefined && like.name === target.name && like.role === target.role;
      const sameText = target.text !== undefined && like.text === target.text;
      if (sameName || sameText) addNewTargets(found, [elements[index]]);
    }
  }
  return found;
}

/** @param {any[]} found @param {any[]} more */
function addNewTargets(found, more) {
  for (let at = 0; at < more.length && found.length < PROPOSAL_LIMIT; at++) {
    let known = false;
    for (let index = 0; index < found.length && !known; index++) known = found[index] === more[at];
    if (!known) found[found.length] = more[at];
  }
}

/**
 * How much each locator says when it agrees, and when it contradicts. Text and names follow the data and the language, so
 * they speak softly against; an id that a person chose speaks loudly both ways.
 * @param {Target} target @param {import('./more-nodes.js').MoreNodes} nodes
 */
function targetWeights(target, nodes) {
  const generated = target.id !== undefined && looksGenerated(target.id, nodes);
  const named = target.test_id !== undefined && nodes.sliceText(target.test_id, 0, 6) === '[name=';
  return {
    id: generated ? [2, 0] : [6, 6],
    test_id: named ? [3, 4] : [6, 6],
    role: [1, 2],
    name: [3, 2],
    text: [2, 1],
    path: [3, 2],
  };
}

/**
 * @param {Target} target @param {string | undefined} tag @param {Target[]} likes
 * @param {import('./more-nodes.js').MoreNodes} nodes
 */
function isTellingText(target, tag, likes, nodes) {
  if (target.text === undefined || target.text.length < TELLING_TEXT) return false;
  let alike = 0;
  for (let at = 0; at < likes.length; at++) {
    if (likes[at].text === target.text && lastPathTag(likes[at].path, nodes) === tag) alike++;
  }
  return alike === 1;
}

/**
 * @param {Target} target @param {any[]} candidates @param {import('./more-nodes.js').MoreNodes} nodes
 * @returns {Found}
 */
function judgeTargets(target, candidates, nodes) {
  const weights = targetWeights(target, nodes);
  const tag = lastPathTag(target.path, nodes);
  /** @type {Target[]} */
  const likes = [];
  for (let at = 0; at < candidates.length; at++) likes[at] = describeTarget(candidates[at], nodes);
  // Words that one element of its kind alone has say more than where it stands.
  if (isTellingText(target, tag, likes, nodes)) weights.text[0] = weights.path[0] + weights.path[1];
  /** @type {{element: any, score: number, near: number, used: string[], against: string[]} | null} */
  let best = null;
  let ties = 0;
  for (let at = 0; at < candidates.length; at++) {
    const like = likes[at];
    if (tag !== undefined && lastPathTag(like.path, nodes) !== tag) continue;
    const verdict = weighTarget(target, like, weights);
    if (verdict.score <= 0) continue;
    const near = commonPathLength(target.path || '', like.path || '');
    if (best && verdict.score === best.score && near === best.near) ties++;
    if (!best || verdict.score > best.score || (verdict.score === best.score && near > best.near)) {
      if (!best || verdict.score > best.score || near > best.near) ties = 0;
      best = { element: candidates[at], score: verdict.score, near, used: verdict.used, against: verdict.against };
    }
  }
  if (!best) {
    const why = candidates.length ? `${candidates.length} elements were proposed, none is like the recorded one` : 'no locator names an element';
    return { element: null, used: [], notes: [why] };
  }
  const notes = [];
  if (best.against.length) notes[0] = `found by ${listedLocators(best.used)}, although ${listedLocators(best.against)} differs`;
  if (ties) notes[notes.length] = `${ties + 1} elements fit equally; took the first`;
  return { element: best.element, used: best.used, notes };
}

/**
 * @param {Target} target @param {Target} like @param {Record<string, number[]>} weights
 */
function weighTarget(target, like, weights) {
  let score = 0;
  /** @type {string[]} */
  const used = [];
  /** @type {string[]} */
  const against = [];
  for (let at = 0; at < TARGET_LOCATORS.length; at++) {
    const key = /** @type {keyof Target} */ (TARGET_LOCATORS[at]);
    const wanted = target[key];
    if (wanted === undefined) continue;
    if (wanted === like[key]) {
      used[used.length] = key;
      score += weights[key][0];
    } else {
      against[against.length] = key;
      score -= weights[key][1];
    }
  }
  return { score, used, against };
}

/** @param {string} one @param {string} two */
function commonPathLength(one, two) {
  let at = 0;
  while (at < one.length && one[at] === two[at]) at++;
  return at;
}

/** @param {string[]} words */
function listedLocators(words) {
  let text = '';
  for (let at = 0; at < words.length; at++) text += (at ? ', ' : '') + words[at];
  return text;
}
