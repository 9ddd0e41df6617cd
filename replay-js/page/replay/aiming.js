/**
 * Where the pointer is to go: to the same relative point of the same element, whatever size it has here.
 *
 * What is dragged follows the pointer, by its own pace: a transition, a frame later, a page that measures first. A point
 * in its box would then be a point that the drag itself has moved. So while a button is held over an element, moves on it
 * and on what holds it are as far from where it was pressed as they were in the recording; only what else comes below
 * the pointer, a place to drop on, is aimed at by its own box.
 *
 * A wheel is turned where the pointer is. Engines may have scrolled already when the page hears of it, so that its logged
 * target is what came to lie below the pointer, and its point in that box one where nothing is yet.
 */
import { abs, max, min, sign } from '../more-natives.js';
import { append, round } from '../natives.js';

/** How wide the arrows of a field for numbers are at most, and up to which part of a narrow one there are none. */
const ARROWS = 30;
const TEXT_PART = 0.6;

/** So many pixels from where it was pressed on, an element's edge may be in another browser. */
const EDGE = 3;

/** @param {import('./realm.js').ReplayRealm} realm */
export function createAiming(realm) {
  /** What was pressed on: the element, where it was pressed in the recording, and where here. */
  let held = /** @type {{target: any, was: {x: number, y: number}, at: {x: number, y: number}} | null} */ (null);

  /** Where the pointer was taken last: in the recording, and here. */
  let pointer = /** @type {{was: {x: number, y: number}, at: {x: number, y: number}} | null} */ (null);
  let isLed = false;

  /**
   * @param {any} target
   * @param {any} what the logged event
   * @param {string[]} notes
   */
  function at(target, what, notes) {
    const { type, data } = what;
    if (type === 'wheel' && pointer && isWhere(pointer, data)) {
      return pointer.at;
    }
    const point = (type === 'wheel' && whereItWas(target, data)) || pointed(target, what, notes);
    const { x, y } = pointer?.at ?? point;
    isLed = type === 'pointerup' && isWhere(held, data) && isWhere(pointer, data) && (abs(x - point.x) >= 1 || abs(y - point.y) >= 1);
    pointer = { was: { x: data.x, y: data.y }, at: point };
    return point;
  }

  /**
   * Nothing tells where the pointer was before it. Undefined out of view.
   * @param {any} target
   * @param {any} data
   */
  function whereItWas(target, data) {
    const frame = realm.frameOrigin(target);
    const x = frame.x + data.x;
    const y = frame.y + data.y;
    const { innerWidth, innerHeight } = realm.global;
    return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight ? { x, y } : undefined;
  }

  /**
   * @param {any} target
   * @param {any} what the logged event
   * @param {string[]} notes
   */
  function pointed(target, { type, data }, notes) {
    if (type === 'pointermove' && !data.buttons) {
      held = null;
    }
    if (held && (type === 'pointermove' || type === 'pointerup' || type === 'pointercancel') && holds(target, held.target)) {
      const { was } = held;
      return { x: held.at.x + (data.x - was.x), y: held.at.y + (data.y - was.y) };
    }
    const point = inBox(target, data, notes);
    if (type === 'pointerdown') {
      held = { target, was: { x: data.x, y: data.y }, at: point };
    }
    return point;
  }

  /**
   * @param {any} target
   * @param {any} data
   * @param {string[]} notes
   */
  function inBox(target, data, notes) {
    const now = () => {
      const box = realm.boundingBox(target);
      const frame = realm.frameOrigin(target);
      const x = asLogged(box.left + data.rx * box.width, data.x, box.width);
      return { x: frame.x + (x === data.x ? x : besideArrows(target, data.rx, box)), y: frame.y + asLogged(box.top + data.ry * box.height, data.y, box.height) };
    };
    uncover(target, data, now, notes);
    let { x, y } = now();
    const { innerWidth, innerHeight } = realm.global;
    const isOutside = () => x < 0 || y < 0 || x >= innerWidth || y >= innerHeight;
    if (isOutside()) {
      append(notes, 'the target was outside the viewport and was scrolled to');
      const show = () => realm.scrollIntoView(target, { __proto__: null, block: 'center', inline: 'center', behavior: 'instant' });
      show();
      ({ x, y } = now());
      // What handles the press may ask how far the page is scrolled, and hears of it later.
      const frame = realm.frameOrigin(target);
      realm.scrollTo(realm.global, realm.global.scrollX + x - frame.x - data.x, realm.global.scrollY + y - frame.y - data.y);
      ({ x, y } = now());
      if (isOutside()) {
        show();
        ({ x, y } = now());
      }
      // Of what is larger than the viewport, the nearest point that can be seen.
      x = min(max(x, 0), innerWidth - 1);
      y = min(max(y, 0), innerHeight - 1);
    }
    return besideOthers(target, withinEdge(target, { x, y }, data), data);
  }

  /**
   * What was pointed at itself, between what stands in it, may have something there in a box of another size, or at the next whole pixel: then
   * it is pointed at where it was, if nothing stands there.
   * @param {any} target
   * @param {{x: number, y: number}} point
   * @param {any} data
   */
  function besideOthers(target, point, { x, y }) {
    const isFree = (/** @type {number} */ across, /** @type {number} */ along) => {
      const below = realm.elementAt(across, along);
      return !below || below === target || !holds(target, below);
    };
    const isThere = target.ownerDocument !== realm.document || (isFree(point.x, point.y) && isFree(round(point.x), round(point.y)));
    return isThere || realm.elementAt(x, y) !== target ? point : { x, y };
  }

  /**
   * Whose the pixels at an edge are that lies between two, or at a rounded corner, each browser says in its own way, and most drivers point
   * at whole pixels: what was pressed on there is pressed on a little further in, unless something else covers it.
   * @param {any} target
   * @param {{x: number, y: number}} point
   * @param {any} data
   */
  function withinEdge(target, point, data) {
    const x = point.x - ((data.x ?? 0) % 1);
    const y = point.y - ((data.y ?? 0) % 1);
    const below = target.ownerDocument === realm.document && realm.elementAt(x, y);
    if (!below || !holds(below, target) || below === target) {
      return point;
    }
    const box = realm.boundingBox(target);
    const right = sign(box.left + box.width / 2 - x);
    const down = sign(box.top + box.height / 2 - y);
    for (let far = 1; far <= EDGE; far += 1) {
      const steps = [[right * far, 0], [0, down * far], [right * far, down * far]];
      for (let i = 0; i < steps.length; i += 1) {
        const across = steps[i][0];
        const along = steps[i][1];
        if (holds(target, realm.elementAt(x + across, y + along))) {
          return { x: point.x + across, y: point.y + along };
        }
      }
    }
    return point;
  }

  /**
   * A driver scrolls a pane to what it clicks on, of which the page hears after the press: until then it is out of the pane's view here.
   * @param {any} target
   * @param {any} data
   * @param {() => {x: number, y: number}} now
   * @param {string[]} notes
   */
  function uncover(target, data, now, notes) {
    let place = now();
    const below = target.ownerDocument === realm.document && realm.elementAt(place.x, place.y);
    if (!below || holds(target, below)) {
      return;
    }
    for (let pane = around(target); pane; pane = around(pane)) {
      if (pane.nodeType === 1 && clips(pane, place)) {
        append(notes, 'the target was out of the view of what scrolls it, and was scrolled to');
        realm.scrollTo(pane, pane.scrollLeft + place.x - data.x, pane.scrollTop + place.y - data.y);
        if (clips(pane, now())) {
          realm.scrollIntoView(target, { __proto__: null, block: 'nearest', inline: 'nearest', behavior: 'instant' });
        }
        place = now();
      }
    }
  }

  /**
   * Whether an element that scrolls what is in it does not show this point of it.
   * @param {any} pane
   * @param {{x: number, y: number}} point
   */
  function clips(pane, { x, y }) {
    const { clientWidth, clientHeight } = pane;
    if (pane === realm.document.documentElement || pane === realm.document.body || (pane.scrollWidth <= clientWidth && pane.scrollHeight <= clientHeight)) {
      return false;
    }
    const box = realm.boundingBox(pane);
    const fromLeft = x - box.left - pane.clientLeft;
    const fromTop = y - box.top - pane.clientTop;
    const isOut = fromLeft < 0 || fromTop < 0 || fromLeft >= clientWidth || fromTop >= clientHeight;
    return isOut && realm.computedStyle(pane).overflow !== 'visible';
  }

  /**
   * A field for numbers is narrower in one browser and its arrows are wider in another: who pressed on its text did not press on these.
   * @param {any} target
   * @param {number} rx
   * @param {{left: number, width: number}} box
   */
  function besideArrows(target, rx, { left, width }) {
    const isOnText = target.type === 'number' && rx <= TEXT_PART && realm.computedStyle(target).direction === 'ltr';
    return left + (isOnText ? min(rx * width, max(width - ARROWS, width / 4)) : rx * width);
  }

  return {
    at,

    /**
     * Whether it was let go where it had been pressed, on something that had come there by then and is elsewhere here: the way to it is
     * ours, and no drag.
     */
    isLed: () => isLed,
  };
}

/**
 * @param {{was: {x: number, y: number}} | null} last
 * @param {any} data
 */
function isWhere(last, { x, y }) {
  return last !== null && abs(last.was.x - x) < 1 && abs(last.was.y - y) < 1;
}

/**
 * Whether one element is another or around it, shadow roots included.
 * @param {any} outer
 * @param {any} inner
 */
function holds(outer, inner) {
  for (let node = inner; node; node = around(node)) {
    if (node === outer) {
      return true;
    }
  }
  return false;
}

/** What a node is in, out of shadow trees, too. @param {any} node */
function around(node) {
  return node.parentNode ?? node.host;
}

/**
 * The logged point, where the box allows it: the ratio in the log is rounded.
 * @param {number} point
 * @param {number | undefined} logged
 * @param {number} length
 */
function asLogged(point, logged, length) {
  return logged !== undefined && abs(point - logged) <= 0.01 + length / 10_000 ? logged : point;
}

/** @typedef {ReturnType<typeof createAiming>} Aiming */
