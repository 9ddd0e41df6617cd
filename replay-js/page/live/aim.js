/**
 * Where to point for a target, once it is there, stands still and is not covered: what a person waits for without
 * noticing.
 */
import { newPromise } from '../more-natives.js';
import { floor, indexOf, slice } from '../natives.js';

/**
 * @typedef {object} Aim
 * @property {any} [target] locators, as they are recorded
 * @property {string} [css] a selector; ` >> ` steps into a frame of the same origin or an open shadow root
 * @property {number} [rx] where in its box, 0 to 1; the middle without it
 * @property {number} [ry]
 * @property {number} deadline_ms
 */

/**
 * @param {import('../replay/realm.js').ReplayRealm} realm
 * @param {import('../replay/targets.js').Targets} targets
 * @param {import('./view.js').View} view
 */
export function createAim(realm, targets, view) {
  const { global } = realm;

  /** @param {Aim} aim @returns {{element: any, notes: string[]}} */
  function find(aim) {
    if (aim.css === undefined) {
      const found = targets.find(aim.target);
      return { element: found.target, notes: found.notes };
    }
    let scope = global.document;
    let element = null;
    let rest = aim.css;
    while (scope) {
      const step = indexOf(rest, ' >> ');
      element = scope.querySelector(step < 0 ? rest : slice(rest, 0, step));
      if (!element || step < 0) {
        break;
      }
      rest = slice(rest, step + 4);
      scope = element.contentDocument ?? element.shadowRoot;
      element = null;
    }
    return { element, notes: [] };
  }

  /**
   * @param {any} element
   * @param {Aim} aim
   */
  function pointOf(element, { rx = 0.5, ry = 0.5 }) {
    const box = realm.boundingBox(element);
    // A mouse points at whole pixels, and the far edges belong to the neighbour.
    return { x: floor(box.left + rx * box.width), y: floor(box.top + ry * box.height), width: box.width, height: box.height };
  }

  /**
   * @param {Aim} aim
   * @returns {any}
   */
  function look(aim) {
    const { element, notes } = find(aim);
    if (!element) {
      return { __proto__: null, found: false, problem: 'it is not there', notes };
    }
    if (element.nodeType !== 1) {
      return { __proto__: null, found: true, x: 1, y: 1, notes };
    }
    let point = pointOf(element, aim);
    if (point.width < 1 || point.height < 1) {
      return { __proto__: null, found: false, problem: 'it has no size', notes };
    }
    if (global.parent !== global) {
      // What is in view in its frame may be out of view in the window.
      realm.scrollIntoView(element, { __proto__: null, block: 'nearest', inline: 'nearest', behavior: 'instant' });
      point = pointOf(element, aim);
    }
    const { innerWidth, innerHeight } = element.ownerDocument.defaultView;
    if (point.x < 0 || point.y < 0 || point.x >= innerWidth || point.y >= innerHeight) {
      realm.scrollIntoView(element, { __proto__: null, block: 'center', inline: 'center', behavior: 'instant' });
      point = pointOf(element, aim);
    }
    const cover = view.coverOf(element, point.x, point.y);
    if (cover) {
      return { __proto__: null, found: false, problem: 'it is covered by ' + (cover.by ? targets.name(cover.by) : 'nothing that can be seen'), notes };
    }
    const frame = realm.frameOrigin(element);
    return { __proto__: null, found: true, x: point.x + frame.x, y: point.y + frame.y, notes };
  }

  return {
    find,
    /**
     * @param {Aim} aim
     * @returns {Promise<any>}
     */
    aim(aim) {
      const began = realm.now();
      return new newPromise((resolve) => {
        let before = /** @type {any} */ (null);
        const again = () => {
          const seen = look(aim);
          const still = seen.found && before !== null && before.x === seen.x && before.y === seen.y;
          const late = realm.now() - began >= aim.deadline_ms;
          if (still || late) {
            resolve(seen.found && !still ? { __proto__: null, found: false, problem: 'it does not stand still', notes: seen.notes } : seen);
            return;
          }
          before = seen.found ? seen : null;
          realm.requestAnimationFrame(global, again);
        };
        again();
      });
    },
  };
}
