/** What is kept of a DOM event beyond its type and target. Numbers are rounded to what a replay can use. */
import { append, round, setOfWords } from '../natives.js';
import { messageIn } from './hosts.js';

/** Larger files are recorded by their names alone. */
const LARGEST_FILE = 1_000_000;

/** Controls whose value is chosen in a window of the browser's own, which shows no events to the page. */
const CHOSEN_IN_POPUP = setOfWords('file color date time datetime-local month week');

/**
 * Whether this `change` is what a person did, rather than what keys and clicks brought about.
 * @param {any} target
 */
export function isChoice(target) {
  const name = target.localName;
  return name === 'select' || (name === 'input' && CHOSEN_IN_POPUP[target.type]);
}

/**
 * @param {import('../natives.js').Realm} realm
 * @param {any} event
 * @param {string} type
 * @param {any} target
 * @param {(target: any) => any} locate locators of an element
 */
export function dataOf(realm, event, type, target, locate) {
  /** @type {any} */
  const data = {};
  if (event.clientX !== undefined) {
    pointer(realm, event, target, data);
    data.related = event.relatedTarget && locate(event.relatedTarget);
  }
  // What is stored has a key, too.
  if (event.code !== undefined) {
    data.key = event.key;
    data.code = event.code;
    data.repeat = event.repeat || undefined;
    const { selectionStart, selectionEnd, value } = target;
    // Whatever selected it, a driver that empties a field, say, this key needs it. At the end of a text is where one types.
    if (type === 'keydown' && selectionStart < value?.length) {
      data.selection = [selectionStart, selectionEnd];
    }
  }
  modifiers(event, data);
  if (event.deltaMode !== undefined) {
    data.dx = event.deltaX;
    data.dy = event.deltaY;
    data.mode = event.deltaMode || undefined;
    // What older pages read: an engine may count it otherwise than another, and a driver's wheel otherwise than a person's.
    data.wheel = [event.wheelDeltaX, event.wheelDeltaY];
  }
  data.inputType = event.inputType;
  if (typeof event.data === 'string' && type !== 'message') {
    data.data = event.data;
  }
  if (type === 'change' || type === 'input') {
    value(target, data);
  } else if (type === 'scroll' || type === 'scrollend' || (type === 'DOMContentLoaded' && realm.global.performance.navigation?.type)) {
    // Where the history leads back to, a browser scrolls to where one was, at some time or other while the page loads.
    const at = target.scrollingElement ?? target;
    // Where the end is, too: lines break elsewhere in each engine, and who has come to the end has come to it in all.
    data.scroll = [at.scrollLeft, at.scrollTop, at.scrollWidth - at.clientWidth, at.scrollHeight - at.clientHeight];
  } else if (type === 'load' || type === 'error') {
    // An element need not be in the document to load something.
    data.src = target.nodeType === 1 ? (target.src || target.href || undefined) : undefined;
  } else if (type === 'resize') {
    data.size = [realm.global.innerWidth, realm.global.innerHeight];
  } else if (type === 'hashchange' || type === 'popstate') {
    data.url = realm.global.location.href;
  } else if (event.elapsedTime !== undefined) {
    data.animation = event.animationName ?? event.propertyName;
    data.pseudo = event.pseudoElement || undefined;
  } else if (type === 'message') {
    data.origin = event.origin;
    data.message = messageIn(event, type);
  } else if (type === 'readystatechange') {
    data.state = realm.readyState(realm.document);
  }
  return data;
}

/**
 * @param {import('../natives.js').Realm} realm
 * @param {any} event
 * @param {any} target
 * @param {any} data
 */
function pointer(realm, event, target, data) {
  data.x = hundredths(event.clientX);
  data.y = hundredths(event.clientY);
  if (target.nodeType === 1) {
    const box = realm.boundingBox(target);
    if (box.width > 0 && box.height > 0) {
      data.rx = round(((event.clientX - box.left) / box.width) * 10000) / 10000;
      data.ry = round(((event.clientY - box.top) / box.height) * 10000) / 10000;
    }
  }
  data.button = event.button;
  data.buttons = event.buttons;
  data.clicks = event.detail || undefined;
  if (event.pointerType && event.pointerType !== 'mouse') {
    data.pointer = event.pointerType;
  }
}

/**
 * As a bit field: Alt 1, Ctrl 2, Meta 4, Shift 8.
 * @param {any} event
 * @param {any} data
 */
function modifiers(event, data) {
  data.modifiers = event.altKey | (event.ctrlKey << 1) | (event.metaKey << 2) | (event.shiftKey << 3) || undefined;
}

/**
 * @param {any} target
 * @param {any} data
 */
function value(target, data) {
  if (target.type === 'checkbox' || target.type === 'radio') {
    data.checked = target.checked;
  } else if (target.localName === 'select' && target.multiple) {
    data.selected = chosen(target.options, (/** @type {any} */ option, index) => (option.selected ? index : undefined));
  } else if (target.type === 'file') {
    data.files = chosen(target.files ?? [], (/** @type {any} */ file) => file.name);
  } else if (typeof target.value === 'string') {
    data.value = target.value;
  }
}

/**
 * What stands in the chosen files, once it is read.
 * @param {import('../natives.js').Realm} realm
 * @param {any} field
 * @param {() => null | ((api: string, answer: any) => void)} keeper asked only where there are files: asking tells the event that runs
 */
export function keepFiles(realm, field, keeper) {
  const files = field.files;
  const keep = files && keeper();
  for (let i = 0; keep && i < files.length; i += 1) {
    const { name, type, lastModified, size } = files[i];
    const tell = (/** @type {any} */ data) => keep('File.content', { name, type, lastModified, at: i, data });
    if (size > LARGEST_FILE) {
      tell(undefined);
    } else {
      const reader = new realm.FileReader();
      // Its events would be taken for the page's.
      realm.addEventListener(reader, 'load', () => tell(reader.result));
      reader.readAsDataURL(files[i]);
    }
  }
}

/**
 * @param {any} list
 * @param {(item: any, index: number) => any} take
 */
function chosen(list, take) {
  /** @type {any[]} */
  const taken = [];
  for (let i = 0; i < list.length; i += 1) {
    const item = take(list[i], i);
    if (item !== undefined) {
      append(taken, item);
    }
  }
  return taken;
}

/** @param {number} value */
function hundredths(value) {
  return round(value * 100) / 100;
}
