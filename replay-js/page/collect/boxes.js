// Where nodes are: boxes in page coordinates, and what clips them. Only reads, in one pass, so the page is laid out once.

/**
 * @typedef {import('./dom.js').Dom} Dom
 * @typedef {[number, number, number, number]} Rect x, y, width, height
 * @typedef {{left: number, top: number, right: number, bottom: number}} Clip
 */

/** @type {Clip} */
export const UNCLIPPED = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };

/** @returns {Rect} */
export function emptyRect() {
  return [0, 0, 0, 0];
}

/**
 * `scale` is what the engine leaves out of its answers: see `zoomed` in `dom.js`.
 * @param {Dom} dom @param {any} element @param {number} dx @param {number} dy @param {number} scale @returns {Rect}
 */
export function elementRect(dom, element, dx, dy, scale) {
  const box = dom.box(element);
  const width = dom.rectWidth(box) * scale;
  const height = dom.rectHeight(box) * scale;
  const x = dom.rectX(box) * scale;
  const y = dom.rectY(box) * scale;
  // An element without a box answers zeros in viewport coordinates; it is nowhere, not at the scroll offset.
  if (width === 0 && height === 0 && x === 0 && y === 0) return emptyRect();
  return [dom.step(x + dx), dom.step(y + dy), dom.step(width), dom.step(height)];
}

/**
 * The union of a text's line boxes and their number. Engines return further rectangles of no width where spaces collapse
 * at a line's end, and one for each change of direction within a line; neither is a line.
 * @param {Dom} dom @param {any} range @param {any} text @param {number} dx @param {number} dy @param {boolean} vertical @param {number} scale
 * @returns {{rect: Rect, lines: number}}
 */
export function textRect(dom, range, text, dx, dy, vertical, scale) {
  dom.selectContents(range, text);
  const boxes = dom.rangeBoxes(range);
  const count = dom.rectCount(boxes);
  let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity;
  let lines = 0;
  let lineStart = 0, lineEnd = 0;
  for (let at = 0; at < count; at++) {
    const box = boxes[at];
    const x = dom.rectX(box), y = dom.rectY(box), width = dom.rectWidth(box), height = dom.rectHeight(box);
    if (width === 0 || height === 0) continue;
    const start = vertical ? x : y;
    const end = vertical ? x + width : y + height;
    const shared = (end < lineEnd ? end : lineEnd) - (start > lineStart ? start : lineStart);
    if (lines === 0 || shared < (end - start) / 2) {
      lines++;
      lineStart = start;
      lineEnd = end;
    }
    if (x < left) left = x;
    if (y < top) top = y;
    if (x + width > right) right = x + width;
    if (y + height > bottom) bottom = y + height;
  }
  if (lines === 0) return { rect: emptyRect(), lines: 0 };
  const x = dom.step(left * scale + dx), y = dom.step(top * scale + dy);
  return { rect: [x, y, dom.step(right * scale + dx) - x, dom.step(bottom * scale + dy) - y], lines };
}

/**
 * The part of the page that an element with clipping overflow leaves to its content.
 * @param {Dom} dom @param {any} element @param {Rect} rect @param {Clip} outer @param {boolean} x @param {boolean} y @param {number} scale
 * @returns {Clip}
 */
export function clipBy(dom, element, rect, outer, x, y, scale) {
  // A transformed box's client sizes are untransformed: then the border box itself must do.
  const left = dom.clientLeft(element) * scale, top = dom.clientTop(element) * scale;
  const width = dom.clientWidth(element) * scale, height = dom.clientHeight(element) * scale;
  const plain = left + width <= rect[2] + 1 && top + height <= rect[3] + 1 && (width > 0 || height > 0);
  const inner = plain
    ? { left: rect[0] + left, top: rect[1] + top, right: rect[0] + left + width, bottom: rect[1] + top + height }
    : { left: rect[0], top: rect[1], right: rect[0] + rect[2], bottom: rect[1] + rect[3] };
  return {
    left: x && inner.left > outer.left ? inner.left : outer.left,
    top: y && inner.top > outer.top ? inner.top : outer.top,
    right: x && inner.right < outer.right ? inner.right : outer.right,
    bottom: y && inner.bottom < outer.bottom ? inner.bottom : outer.bottom,
  };
}

/** @param {Rect} rect @param {Clip} clip */
export function showsWithin(rect, clip) {
  return (
    rect[2] > 0 && rect[3] > 0 && rect[0] < clip.right && rect[1] < clip.bottom && rect[0] + rect[2] > clip.left && rect[1] + rect[3] > clip.top
  );
}
