/**
 * The collector's entry: a window and its frames of the same origin, looked at once, with nothing installed in them. This is what a
 * tool sees that drives browsers from outside, and it is there to be compared with.
 */
import { createCollector } from './collect/collector.js';
import { captureDom } from './collect/dom.js';
import { append, parseDecimal } from './natives.js';

/**
 * `DocumentData` of each document, the window's own first, placed on its page.
 * @param {any} global
 */
export function collectOnce(global) {
  /** @type {any[]} */
  const documents = [];
  look(global, [], 0, 0);
  return documents;

  /** @param {any} window @param {number[]} path @param {number} x @param {number} y where its content begins on the page */
  function look(window, path, x, y) {
    const data = createCollector(captureDom(window), { load: 0, path }).collect(true);
    const framed = path.length > 0;
    place(data, framed ? x - data.scroll[0] : x, framed ? y - data.scroll[1] : y);
    append(documents, data);
    for (let index = 0; index < window.length; index += 1) {
      const inner = window[index], frame = frameOf(inner);
      if (frame) {
        const box = frame.getBoundingClientRect(), style = window.getComputedStyle(frame);
        const left = box.left + frame.clientLeft + (parseDecimal(style.paddingLeft) || 0);
        const top = box.top + frame.clientTop + (parseDecimal(style.paddingTop) || 0);
        look(inner, [...path, index], data.origin[0] + data.scroll[0] + left, data.origin[1] + data.scroll[1] + top);
      }
    }
  }
}

/** Nothing for a frame of another origin. @param {any} window */
function frameOf(window) {
  try {
    return window.frameElement;
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
