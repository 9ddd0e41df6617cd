/** From a recorded target to what it is in this browser, and back. */
import { captureNodes } from '../target/nodes.js';
import { describeTarget } from '../target/describe.js';
import { findTarget } from '../target/find.js';

/** @param {import('./realm.js').ReplayRealm} realm */
export function createTargets(realm) {
  const nodes = captureNodes(realm.global);

  /** @param {any} located */
  function find(located) {
    const found = findTarget(located, realm.document, nodes);
    return { target: found.element ?? null, notes: found.notes };
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
    describe: text,
    /** @param {any} target */
    name: (target) => text(describeTarget(target, nodes)),
    /**
     * @param {any} located
     * @param {any} target
     */
    is(located, target) {
      if (located.object === 'window') {
        return target === realm.global || target === realm.document;
      }
      if (located.object === 'document') {
        return target === realm.document;
      }
      return target.nodeType === 1 && find(located).target === target;
    },
  };
}

/** @typedef {ReturnType<typeof createTargets>} Targets */
