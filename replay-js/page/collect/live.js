// What an element is besides its attributes: the state a person or a script gave it, and the natural size of what it shows.

import { HTML_NAMESPACE } from './namespace.js';
import { SELECTED_TEXT } from './selected.js';

/** @typedef {import('./dom.js').Dom} Dom */

const UNTYPED_INPUTS = { __proto__: null, checkbox: 1, radio: 1, submit: 1, reset: 1, button: 1, image: 1, hidden: 1 };

/**
 * Properties that differ from what the attributes say, sorted by name.
 * @param {Dom} dom @param {any} element @param {string} tag @param {boolean} scrollable @param {boolean} isRoot
 * @returns {[string, string][]}
 */
export function liveProperties(dom, element, tag, scrollable, isRoot) {
  /** @type {[string, string][]} */
  const found = [];
  /** @param {string} name @param {string} value */
  const add = (name, value) => {
    found[found.length] = [name, value];
  };
  if (dom.namespace(element) === HTML_NAMESPACE) {
    if (tag === 'input') inputProperties(dom, element, add);
    else if (tag === 'textarea') {
      if (showsSelection(dom, element, dom.textareaSelection)) add(SELECTED_TEXT, 'true');
      const value = dom.textareaValue(element);
      if (value !== dom.textareaDefault(element)) add('value', value);
    } else if (tag === 'option') {
      const selected = dom.optionSelected(element);
      if (selected !== (dom.attribute(element, 'selected') !== null)) add('selected', '' + selected);
    } else if (tag === 'video' || tag === 'audio') {
      // A running clock is nobody's state, nor is that it has run down: only where somebody stopped it can two replays agree.
      const paused = dom.mediaPaused(element) && !dom.mediaEnded(element);
      const time = dom.round(dom.mediaTime(element) * 100) / 100;
      if (paused && time !== 0) add('currentTime', '' + time);
      if (!paused) add('paused', 'false');
    } else if (dom.findText(tag, '-') > 0 && !dom.matches(element, ':defined')) {
      add('defined', 'false');
    }
  }
  // The page's own scroll offset stands in the document's head, whichever element an engine moves for it.
  if (scrollable && !isRoot) {
    const left = dom.round(dom.scrollLeft(element)), top = dom.round(dom.scrollTop(element));
    if (left !== 0) add('scrollLeft', '' + left);
    if (top !== 0) add('scrollTop', '' + top);
  }
  return found;
}

/** @param {Dom} dom @param {any} element @param {(name: string, value: string) => void} add */
function inputProperties(dom, element, add) {
  const type = dom.lower(dom.attribute(element, 'type') || 'text');
  if (type === 'checkbox' || type === 'radio') {
    const checked = dom.inputChecked(element);
    if (checked !== (dom.attribute(element, 'checked') !== null)) add('checked', '' + checked);
    if (dom.inputIndeterminate(element)) add('indeterminate', 'true');
  }
  if (type in UNTYPED_INPUTS) return;
  if (showsSelection(dom, element, dom.inputSelection)) add(SELECTED_TEXT, 'true');
  const value = dom.inputValue(element);
  if (value === (dom.attribute(element, 'value') || '')) return;
  // The length shows what is drawn; the text is nobody's business.
  add('value', type === 'password' ? maskedValue(value) : value);
}

/**
 * Where it has the focus: what was selected before is kept, and not shown.
 * @param {Dom} dom @param {any} element @param {{start: (field: any) => any, end: (field: any) => any}} ends
 */
function showsSelection(dom, element, { start, end }) {
  return start(element) !== end(element) && dom.matches(element, ':focus');
}

/** @param {string} value */
function maskedValue(value) {
  let result = '';
  for (let at = 0; at < value.length; at++) result += '•';
  return result;
}

/**
 * @param {Dom} dom @param {any} element @param {string} tag
 * @returns {[number, number, number] | null} natural width, height, and 1 when there is something to draw, -1 when it may still come
 */
export function naturalSize(dom, element, tag) {
  if (tag !== 'img' && tag !== 'video' && tag !== 'canvas') return null;
  if (dom.namespace(element) !== HTML_NAMESPACE) return null;
  if (tag === 'img') {
    const width = dom.imageWidth(element), height = dom.imageHeight(element);
    return [width, height, !dom.imageComplete(element) ? -1 : width > 0 || height > 0 ? 1 : 0];
  }
  if (tag === 'video') return [dom.videoWidth(element), dom.videoHeight(element), dom.mediaReady(element) >= 2 ? 1 : 0];
  return [dom.canvasWidth(element), dom.canvasHeight(element), 1];
}
