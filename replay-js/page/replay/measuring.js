/**
 * Whether a page has measured itself: what it writes of that is another number in each engine, which sets words as wide as it likes,
 * and no person takes "312 px wide" for wrong where another browser says 314.
 */
import { apply, forWords } from '../natives.js';

const MEASURES = [
  'Element getBoundingClientRect getClientRects',
  'Range getBoundingClientRect getClientRects',
  'SVGGraphicsElement getBBox',
  'SVGTextContentElement getComputedTextLength getSubStringLength getStartPositionOfChar getEndPositionOfChar',
  'CanvasRenderingContext2D measureText',
  'OffscreenCanvasRenderingContext2D measureText',
];

/** Where the pointer is, too: over what a person points at, wherever that is on the page. */
const LENGTHS = [
  'Element clientWidth clientHeight scrollWidth scrollHeight',
  'HTMLElement offsetWidth offsetHeight offsetLeft offsetTop',
  'MouseEvent clientX clientY pageX pageY offsetX offsetY layerX layerY x y',
  'ResizeObserverEntry contentRect borderBoxSize contentBoxSize devicePixelContentBoxSize',
  'IntersectionObserverEntry boundingClientRect intersectionRect intersectionRatio',
];

/** @param {Pick<import('./engine.js').ReplayEngine, 'isVisited'>} engine */
export function createMeasuring(engine) {
  let sinceLastLook = false;
  let before = false;

  /** Drivers measure where they press, and how far to scroll for a picture. */
  function measured() {
    sinceLastLook ||= !engine.isVisited();
  }

  return {
    /**
     * @param {any} global
     * @param {import('../patch.js').Patcher} patch
     */
    install(global, patch) {
      forWords(MEASURES, (owner, name) => {
        patch.method(global[owner]?.prototype, name, (original) => ({
          measure() {
            measured();
            return apply(original, this, arguments);
          },
        }).measure);
      });
      forWords(LENGTHS, (owner, name) => {
        patch.accessor(global[owner]?.prototype, name, (get) => ({
          get [name]() {
            measured();
            return apply(get, this, []);
          },
        }));
      });
    },

    /** Asked once a look: what was measured before one may be written after it. */
    hasMeasured() {
      const has = sinceLastLook || before;
      before = sinceLastLook;
      sinceLastLook = false;
      return has;
    },
  };
}

/** @typedef {ReturnType<typeof createMeasuring>} Measuring */
