// What its place tells of, where a page builds itself otherwise in this browser.
import { describeTarget, pathOf } from './describe.js';
import { followPath, lastPathTag, stepsOf } from './path.js';
import { selectAll } from './select.js';

/** Steps that a path may have more or fewer, and those at its end that must be the same. */
const MOST_DEEPER = 2;
const STEPS_TO_TELL = 4;

/**
 * An element with nothing to be told by, or with words that others have too (what is dragged, and its likeness at the pointer): a box or
 * two more stand around it here, or fewer, or one of those around it comes after another one. Where more than one could be meant, none is.
 * @param {import('./describe.js').Target} target @param {any[]} roots @param {import('./more-nodes.js').MoreNodes} nodes @param {(host: any) => any} shadowOf
 * @returns {import('./find.js').Found | null}
 */
export function findElsewhere(target, roots, nodes, shadowOf) {
  const tag = lastPathTag(target.path, nodes);
  if (tag === undefined || target.id !== undefined || target.test_id !== undefined) return null;
  const steps = stepsOf(/** @type {string} */ (target.path), nodes);
  let found = null;
  for (let at = 0; at < roots.length; at++) {
    const elements = selectAll(nodes, roots[at], tag);
    for (let index = 0; index < elements.length; index++) {
      const parts = partWays(steps, stepsOf(pathOf(elements[index], nodes), nodes));
      // Where what it stood in is not there at all, what is like it is not it.
      if (parts === null || (parts.isOtherStep && !followPath(parts.path, roots[0], nodes, shadowOf))) continue;
      const like = describeTarget(elements[index], nodes);
      if (like.role !== target.role || like.name !== target.name || like.text !== target.text) continue;
      if (found) return null;
      found = elements[index];
    }
  }
  return found && { element: found, used: ['path'], notes: ['found by the end of its path: the boxes around it are others'] };
}

/**
 * Where two paths part that are the same but for a few steps more in one place, or for one step to another element of the same kind, not
 * close to their ends.
 * @param {string[]} one @param {string[]} other
 * @returns {{path: string, isOtherStep: boolean} | null} the first, up to where it is another
 */
function partWays(one, other) {
  const least = one.length < other.length ? one.length : other.length;
  const more = one.length + other.length - 2 * least;
  if (more > MOST_DEEPER || !endsAlike(one, other)) return null;
  let before = 0;
  let path = '';
  for (; before < least && one[before] === other[before]; before++) path += one[before] + '>';
  let after = 0;
  while (after < least - before && one[one.length - 1 - after] === other[other.length - 1 - after]) after++;
  const isOtherStep = more === 0;
  if (before + after !== (isOtherStep ? least - 1 : least)) return null;
  return isOtherStep && tagOfStep(one[before]) !== tagOfStep(other[before]) ? null : { path: path + one[before], isOtherStep };
}

/** @param {string} step */
function tagOfStep(step) {
  let tag = '';
  for (let at = 0; at < step.length && step[at] !== ':'; at++) tag += step[at];
  return tag;
}

/** @param {string[]} one @param {string[]} other */
function endsAlike(one, other) {
  for (let back = 1; back <= STEPS_TO_TELL; back++) {
    if (one[one.length - back] === undefined || one[one.length - back] !== other[other.length - back]) return false;
  }
  return true;
}
