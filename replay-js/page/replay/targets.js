/** From a recorded target to what it is in this browser, and back. */
import { INTO_FRAME } from '../locate.js';
import { indexOf, slice } from '../natives.js';
import { captureMoreNodes } from '../target/more-nodes.js';
import { describeTarget } from '../target/describe.js';
import { findTarget } from '../target/find.js';

/** The type of a shadow tree's root. */
const FRAGMENT = 11;

/** @param {import('./realm.js').ReplayRealm} realm */
export function createTargets(realm) {
  const nodes = captureMoreNodes(realm.global);

  /**
   * @param {any} located
   * @returns {{target: any, notes: string[]}}
   */
  function find(located) {
    return findIn(located, realm.document, nodes);
  }

  /**
   * @param {any} located
   * @param {any} document
   * @param {any} at
   * @returns {{target: any, notes: string[]}}
   */
  function findIn(located, document, at) {
    const path = located.path ?? '';
    const into = indexOf(path, INTO_FRAME);
    if (into < 0) {
      const found = findTarget(located, document, at);
      return { target: found.element ?? null, notes: found.notes };
    }
    const frame = findTarget({ object: 'node', path: slice(path, 0, into) }, document, at).element;
    const inner = frame?.contentDocument;
    if (!inner) {
      return { target: null, notes: [] };
    }
    const rest = slice(path, into + INTO_FRAME.length + 1);
    return findIn({ ...located, path: rest === '' ? undefined : rest }, inner, captureMoreNodes(inner.defaultView));
  }

  /** @param {any} located */
  function text(located) {
    if (located.object !== undefined && located.object !== 'node') {
      return located.object;
    }
    return located.id ? '#' + located.id : (located.test_id ?? located.path ?? located.name ?? 'an element');
  }

  return {
    find,
    /**
     * What an event of the pointer names beside its target: undefined where that is not here, and in older logs, which do not say.
     * @param {any} what
     */
    related({ data }) {
      const located = data?.related;
      return located ? (find(located).target ?? undefined) : located;
    },
    describe: text,
    /** What a node stands in, out of shadow trees, too. @param {any} node */
    parent: (node) => nodes.parentNode(node) ?? (nodes.nodeType(node) === FRAGMENT ? node.host : undefined),
    /** @param {any} target */
    name: (target) => text(describeTarget(target, nodes)),
    /**
     * Whether it is the one, of what stands in no document: its place among what was taken out with it says so.
     * @param {any} located
     * @param {any} target
     */
    isApart: (located, target) => located.path !== undefined && describeTarget(target, nodes).path === located.path,
    /**
     * @param {any} located
     * @param {any} target
     */
    is(located, target) {
      return find(located).target === target;
    },
  };
}

/** @typedef {ReturnType<typeof createTargets>} Targets */
