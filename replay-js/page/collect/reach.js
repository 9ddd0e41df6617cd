// How far a change of one element can reach through the page's selectors, as engines' own invalidation sets tell it:
//
//   0  no selector mentions what changed
//   1  the element itself (what inherits from it follows from its style having changed)
//   2  it and all below it: the mention stands left of a combinator, or the rule sets custom properties
//   3  its siblings too, and all below them
//
// A mention is a class, an id, an attribute's name or a pseudo-class. Where a selector is too clever to be taken apart
// its mentions count one level higher: a style read in vain costs microseconds, a style not read is a lie.

/** @typedef {import('./dom.js').Dom} Dom */
/** @typedef {{text: string, nested: boolean, custom: boolean}} Selector `custom`: its rule sets custom properties */

/** Attributes that the engines' own sheets and presentational hints carry to descendants. */
const FAR_ATTRIBUTES = ['open', 'multiple', 'size', 'type', 'lang', 'xml:lang', 'dir', 'slot', 'part', 'exportparts', 'border', 'cellpadding', 'rules', 'align', 'disabled'];
const POSITION = ':position';
/** Asked instead of `:defined`, which nearly every element matches. */
export const NOT_DEFINED = ':not(:defined)';

/**
 * @typedef {ReturnType<typeof createReach>} Reach
 * @param {Dom} dom @param {Selector[]} selectors @param {string[]} conditions texts of `@scope` and the like
 */
export function createReach(dom, selectors, conditions) {
  const levels = dom.makeMap();
  /** @param {string} mention @param {number} level */
  const raise = (mention, level) => {
    if ((dom.mapGet(levels, mention) || 0) < level) dom.mapSet(levels, mention, level);
  };
  for (let at = 0; at < FAR_ATTRIBUTES.length; at++) raise('[' + FAR_ATTRIBUTES[at], 2);
  for (let at = 0; at < selectors.length; at++) addSelector(dom, raise, selectors[at]);
  for (let at = 0; at < conditions.length; at++) {
    if (dom.exec(/^@scope/, conditions[at])) addMentions(dom, raise, conditions[at], dom.exec(/[+~]/, conditions[at]) ? 3 : 2);
  }
  /** @param {string} mention */
  const levelOf = mention => dom.mapGet(levels, mention) || 0;

  return {
    /** Of children having come, gone or changed places. */
    ofPosition: () => levelOf(POSITION),
    /** @param {string} selector a probe: a pseudo-class, or a whole selector with `:has()` */
    ofProbe(selector) {
      return levelOf(selector === NOT_DEFINED ? ':defined' : selector) || 1;
    },
    /** @param {string} name @param {string | null} before @param {string | null} now */
    ofAttribute(name, before, now) {
      let level = levelOf('[' + name);
      if (name === 'class') level = higher(level, ofWords(before || '', now || ''));
      else if (name === 'id') level = higher(level, higher(levelOf('#' + before), levelOf('#' + now)));
      else if (name === 'style') level = higher(level, hasCustom(before) || hasCustom(now) ? 2 : 1);
      // Any other may be a presentational hint, but these are nobody's.
      else if (!dom.exec(/^(?:data-|aria-|on)/, name)) level = higher(level, 1);
      return level;
    },
  };

  /** Classes that only one of the two has. @param {string} before @param {string} now */
  function ofWords(before, now) {
    return higher(ofMissing(before, now), ofMissing(now, before));
  }

  /** @param {string} some @param {string} others */
  function ofMissing(some, others) {
    let level = 0;
    const word = /[^\t\n\f\r ]+/g;
    for (let match = dom.exec(word, some); match; match = dom.exec(word, some)) {
      if (!hasWord(others, match[0])) level = higher(level, levelOf('.' + match[0]));
    }
    return level;
  }

  /** @param {string} text @param {string} wanted */
  function hasWord(text, wanted) {
    const word = /[^\t\n\f\r ]+/g;
    for (let match = dom.exec(word, text); match; match = dom.exec(word, text)) if (match[0] === wanted) return true;
    return false;
  }

  /** @param {string | null} style */
  function hasCustom(style) {
    return style !== null && dom.findText(style, '--') >= 0;
  }
}

/** @param {number} a @param {number} b */
export function higher(a, b) {
  return a > b ? a : b;
}

/** @param {Dom} dom @param {(mention: string, level: number) => void} raise @param {Selector} selector */
function addSelector(dom, raise, selector) {
  const parts = splitSelector(dom, selector.text);
  for (let at = 0; at < parts.length; at++) {
    const { before, subject, siblings } = parts[at];
    const clever = selector.nested || dom.exec(/\([^()]*[ >+~(]|::part|:host-context|\\[0-9a-fA-F]/, subject) !== null;
    const low = siblings ? 3 : selector.custom || clever ? 2 : 1;
    addMentions(dom, raise, subject, low);
    addMentions(dom, raise, before, siblings ? 3 : 2);
    if (siblings) raise(POSITION, 2);
    // Nobody else's business, but for `:has()`: the probe answers for the whole selector.
    if (dom.findText(selector.text, ':has(') >= 0) raise(selector.text, low);
  }
}

/** @param {Dom} dom @param {(mention: string, level: number) => void} raise @param {string} text @param {number} level */
function addMentions(dom, raise, text, level) {
  const mention = /([.#])((?:\\.|[\w-]|[^\x00-\x7f])+)|\[\s*(?:[\w*]*\|)?([\w:-]+)|:(?!:)([a-zA-Z-]+)(\([^()]*\))?/g;
  for (let match = dom.exec(mention, text); match; match = dom.exec(mention, text)) {
    if (match[1]) raise(match[1] + unescaped(dom, match[2]), level);
    else if (match[3]) raise('[' + dom.lower(match[3]), level);
    else if (dom.exec(/^(?:first|last|only|nth)/, match[4])) raise(POSITION, level);
    else if (match[4] === 'lang') raise('[lang', 2);
    else raise(':' + match[4] + (match[5] || ''), level);
    // What stands inside a function is looked at too: go on behind its bracket, not behind its end.
    if (match[5]) mention.lastIndex -= match[5].length - 1;
  }
}

/** @param {Dom} dom @param {string} name */
function unescaped(dom, name) {
  let result = '';
  for (let at = 0; at < name.length; at++) if (name[at] !== '\\' || name[at - 1] === '\\') result += name[at];
  return result;
}

/**
 * The complex selectors of a list: the last compound, what stands before it, and whether siblings are involved anywhere.
 * @param {Dom} dom @param {string} text
 */
function splitSelector(dom, text) {
  /** @type {{before: string, subject: string, siblings: boolean}[]} */
  const parts = [];
  let start = 0;
  let compound = 0;
  let siblings = false;
  const token = /\\.|"(?:[^"\\]|\\.)*"|\[[^\]]*\]|:nth-[a-z-]+\([^()]*\)|\((?:[^()]|\([^()]*\))*\)|,|\s*([>+~\s])\s*/g;
  for (let match = dom.exec(token, text); ; match = dom.exec(token, text)) {
    if (match && match[0] !== ',') {
      if (match[0][0] === '(' && dom.exec(/[+~]/, match[0])) siblings = true;
      if (match[0][0] === ':' && dom.exec(/ of /, match[0])) siblings = true;
      if (!match[1]) continue;
      if (match[1] === '+' || match[1] === '~') siblings = true;
      compound = match.index + match[0].length;
      continue;
    }
    const end = match ? match.index : text.length;
    parts[parts.length] = { before: dom.sliceText(text, start, compound), subject: dom.sliceText(text, compound, end), siblings };
    if (!match) return parts;
    start = compound = end + 1;
    siblings = false;
  }
}
