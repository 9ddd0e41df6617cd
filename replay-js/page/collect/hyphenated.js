// Words that the engine has broken with a hyphen of its own (`hyphens: auto`): each has dictionaries for other languages, or none.

/** The live property of a text with such a word: the first of them. */
export const HYPHENATED_TEXT = 'hyphenated-text';

/** Longer than any that is left whole everywhere, with no hyphen in it that somebody wrote. */
const LONG_WORD = /\p{L}{5,}/gu;

/** Of what is longer than this the rest is as its beginning. */
const WORDS_LOOKED_AT = 256;

/**
 * @param {import('./dom.js').Dom} dom
 * @param {any} range
 * @param {any} node
 * @param {string} text
 * @param {boolean} vertical
 * @returns {string} empty where every word stands in one line
 */
export function brokenWord(dom, range, node, text, vertical) {
  LONG_WORD.lastIndex = 0;
  for (let words = 0; words < WORDS_LOOKED_AT; words++) {
    const match = dom.exec(LONG_WORD, text);
    if (!match) return '';
    const word = match[0];
    const first = lineOfLetter(dom, range, node, match.index, vertical);
    const last = lineOfLetter(dom, range, node, match.index + word.length - 1, vertical);
    if (first && last && (first[1] <= last[0] || last[1] <= first[0])) return word;
  }
  return '';
}

/**
 * From where to where the line goes that a letter stands in.
 * @param {import('./dom.js').Dom} dom
 * @param {any} range
 * @param {any} node
 * @param {number} at
 * @param {boolean} vertical
 * @returns {[number, number] | null}
 */
function lineOfLetter(dom, range, node, at, vertical) {
  dom.rangeStart(range, node, at);
  dom.rangeEnd(range, node, at + 1);
  const boxes = dom.rangeBoxes(range);
  const count = dom.rectCount(boxes);
  for (let box = 0; box < count; box++) {
    const width = dom.rectWidth(boxes[box]), height = dom.rectHeight(boxes[box]);
    // WebKit has the first letter of a line at the end of the one before, too, with no width.
    if (width === 0 || height === 0) continue;
    const start = vertical ? dom.rectX(boxes[box]) : dom.rectY(boxes[box]);
    return [start, start + (vertical ? width : height)];
  }
  return null;
}
