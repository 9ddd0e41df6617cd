/**
 * The collector's entry: a window and its frames of the same origin, looked at once, with nothing installed in them. This is what a
 * tool sees that drives browsers from outside, and it is there to be compared with.
 */
import { createCollector } from './collect/collector.js';
import { captureDom } from './collect/dom.js';
import { parseDecimal } from './more-natives.js';
import { append } from './natives.js';

/**
 * `DocumentData` of each document, the window's own first, placed on its page.
 * @param {any} global
 */
export function collectOnce(global) {
  /** @type {any[]} */
  const documents = [];
  look(global, [], 0, 0);
  return documents;

  /** @param {any} view @param {number[]} path @param {number} x @param {number} y where its content begins on the page */
  function look(view, path, x, y) {
    const dom = captureDom(view);
    const data = createCollector(dom, { load: 0, path }).collect(true);
    const framed = path.length > 0;
    place(data, framed ? x - data.scroll[0] : x, framed ? y - data.scroll[1] : y);
    append(documents, data);
    for (let index = 0; index < view.length; index += 1) {
      const inner = view[index], frame = frameOf(inner);
      if (frame) {
        const box = dom.box(frame), style = dom.computedStyle(frame, null);
        const padding = (/** @type {string} */ side) => parseDecimal(dom.styleValue(style, 'padding-' + side)) || 0;
        const left = dom.rectX(box) + dom.clientLeft(frame) + padding('left');
        const top = dom.rectY(box) + dom.clientTop(frame) + padding('top');
        look(inner, [...path, index], data.origin[0] + data.scroll[0] + left, data.origin[1] + data.scroll[1] + top);
      }
    }
  }
}

/** Nothing for a frame of another origin. @param {any} view */
function frameOf(view) {
  try {
    return view.frameElement;
  } catch {
    return null;
  }
}

/** @param {any} data @param {number} x @param {number} y */
function place(data, x, y) {
  data.origin = [x, y];
  for (let at = 0; at < data.nodes.length; at += 1) {
    const { rect } = data.nodes[at];
    if (rect[0] || rect[1] || rect[2] || rect[3]) {
      rect[0] += x;
      rect[1] += y;
    }
  }
}
