// What finding and collecting read besides what describing does (`nodes.js`), which is all that the recorder carries.

import { charCode, holderOf, indexOf, slice, toLower, uncurry } from '../natives.js';
import { captureNodes, execPattern } from './nodes.js';

/** @typedef {ReturnType<typeof captureMoreNodes>} MoreNodes */

/**
 * Makes `(object, ...arguments)` functions of methods, and `(object)` functions of accessors. An engine that lacks the
 * member answers `undefined`, as a missing property would.
 * @param {any} global
 */
export function captureMembers(global) {
  /** @param {string} owner @param {string} name */
  const find = (owner, name) => {
    const found = global[owner] && holderOf(global[owner].prototype, name);
    return found && found.descriptor;
  };
  return {
    /** @param {string} owner @param {string} name */
    method(owner, name) {
      const found = find(owner, name);
      return found && found.value ? uncurry(found.value) : () => undefined;
    },
    /** @param {string} owner @param {string} name */
    getter(owner, name) {
      const found = find(owner, name);
      return found && found.get ? uncurry(found.get) : () => undefined;
    },
  };
}

/** @param {any} global */
export function captureMoreNodes(global) {
  const { method, getter } = captureMembers(global);
  return {
    ...captureNodes(global),
    openShadow: getter('Element', 'shadowRoot'),
    queryDocument: method('Document', 'querySelectorAll'),
    queryFragment: method('DocumentFragment', 'querySelectorAll'),
    queryElement: method('Element', 'querySelectorAll'),
    exec: execPattern,
    lower: toLower,
    sliceText: slice,
    findText: indexOf,
    codeAt: charCode,
  };
}
