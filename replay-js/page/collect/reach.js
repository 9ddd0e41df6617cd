// How far a change of one element can reach through the page's selectors, as engines' own invalidation sets tell it:
//
//   0  no selector mentions what changed
//   1  the element itself (what inherits from it follows from its style having changed)
//   2  it and all below it: the rule sets what is handed down unseen, or nobody can tell whom it means
//   3  its siblings too, and all below them
//
// A mention is a class, an id, an attribute's name or a pseudo-class. It counts only in a compound that the element can match: that
// the pointer is over the page is nothing to `.button:hover .icon`. What stands left of a combinator reaches whatever the selector
// ends with (`.icon`) below the element, or below its parent where siblings are concerned: more than it means, and far less than all
// that is there. Where a selector is too clever
// to be taken apart its mentions count one level higher: a style read in vain costs microseconds, a style not read is a lie.
import { walkSelector, withoutFunctions, withoutPseudoElements } from './selectors.js';
import { HANDED_DOWN } from './style-properties.js';

/** @typedef {import('./dom.js').Dom} Dom */
/** @typedef {{text: string, inherited: boolean}} Selector `inherited`: its rule sets what is handed down unseen */

/** Attributes that the engines' own sheets and presentational hints carry to descendants. */
const FAR_ATTRIBUTES = ['open', 'multiple', 'size', 'type', 'lang', 'xml:lang', 'dir', 'slot', 'part', 'exportparts', 'border', 'cellpadding', 'rules', 'align', 'disabled'];
const POSITION = ':position';
/** Of more children than these none is asked whether a selector can mean it. */
const MOST_KIDS = 64;
/** Asked instead of `:defined`, which nearly every element matches. */
export const NOT_DEFINED = ':not(:defined)';

/**
 * What an element is and was, as far as compounds ask: `needs` are found in `words`.
 * @typedef {{tag: string, words: string}} Looks
 * Whom a mention may mean, one of several or, where there are none, anybody. What it changes is within `within`, or within
 * `withinParent` where siblings are concerned.
 * @typedef {{looks: Looks[] | null, within: Rec, withinParent: Rec}} Who
 * @typedef {import('./survey.js').Rec} Rec
 * @typedef {{inherited: boolean, within: Rec[]}} Target
 * What a selector says of a mention. `needs`: the rest of its compound, or null where that is not known. `target`: what the selector
 * ends with, of which `inherited` is handed down, or null where the level alone says how far.
 * @typedef {{level: number, needs: {tag: string, words: string[]} | null, target: string | null, inherited: boolean}} Mention
 * @typedef {ReturnType<typeof createReach>} Reach
 * @param {Dom} dom @param {Selector[]} selectors @param {string[]} conditions texts of `@scope` and the like
 */
export function createReach(dom, selectors, conditions) {
  /** @type {any} Map from mention to list */
  const mentions = dom.makeMap();
  /** @type {any} Map from what selectors end with to `Target` */
  let targets = dom.makeMap();
  /** @param {string} mention @param {Mention} more */
  const raise = (mention, more) => {
    const known = dom.mapGet(mentions, mention);
    if (known) known[known.length] = more;
    else dom.mapSet(mentions, mention, [more]);
  };
  for (let at = 0; at < FAR_ATTRIBUTES.length; at++) raise('[' + FAR_ATTRIBUTES[at], anywhere(2));
  for (let at = 0; at < selectors.length; at++) addSelector(dom, raise, selectors[at]);
  for (let at = 0; at < conditions.length; at++) {
    if (dom.exec(/^@scope/, conditions[at])) addScope(dom, raise, conditions[at]);
  }

  /** What the change of a mention does to the element and what is around it; what it does elsewhere is in `targets`. @param {string} mention @param {Who} who */
  function levelOf(mention, who) {
    const list = dom.mapGet(mentions, mention);
    let level = 0;
    for (let at = 0; list && at < list.length; at++) {
      /** @type {Mention} */
      const said = list[at];
      if (said.needs && !meets(who, said.needs)) continue;
      if (said.target === null) level = higher(level, said.level);
      else addTarget(said.target, said.inherited, said.level === 3 ? who.withinParent : who.within);
    }
    return level;
  }

  /** @param {string} text @param {boolean} inherited @param {Rec} within */
  function addTarget(text, inherited, within) {
    /** @type {Target} */
    let target = dom.mapGet(targets, text);
    if (!target) dom.mapSet(targets, text, (target = { inherited, within: [] }));
    target.inherited = target.inherited || inherited;
    const count = target.within.length;
    if (!count || target.within[count - 1] !== within) target.within[count] = within;
  }

  /** @param {Who} who @param {{tag: string, words: string[]}} needs */
  function meets(who, needs) {
    if (!who.looks) return true;
    for (let at = 0; at < who.looks.length; at++) if (meetsAll(who.looks[at], needs)) return true;
    return false;
  }

  /** @param {Looks} looks @param {{tag: string, words: string[]}} needs */
  function meetsAll(looks, needs) {
    if (needs.tag && needs.tag !== looks.tag) return false;
    for (let at = 0; at < needs.words.length; at++) if (dom.findText(looks.words, ' ' + needs.words[at] + ' ') < 0) return false;
    return true;
  }

  /** Classes and ids. @param {string[]} names @param {(string | null)[]} values */
  function wordsOf(names, values) {
    let words = ' ';
    for (let at = 0; at < names.length; at++) {
      if (names[at] !== 'class' && names[at] !== 'id') continue;
      const sign = names[at] === 'id' ? '#' : '.';
      const word = /[^\t\n\f\r ]+/g;
      const text = dom.lower(values[at] || '');
      for (let match = dom.exec(word, text); match; match = dom.exec(word, text)) words += sign + match[0] + ' ';
    }
    return words;
  }

  return {
    /** What the changes since the last time reach elsewhere. */
    takeTargets() {
      const taken = targets;
      targets = dom.makeMap();
      return taken;
    },
    /** An element as it was, and as it is now. @param {Rec} record @param {string[]} names @param {(string | null)[]} values @returns {Who} */
    who: (record, names, values) => ({
      looks: [{ tag: record.tag, words: wordsOf(record.names, record.values) + wordsOf(names, values) }],
      within: record,
      withinParent: record.parent || record,
    }),
    /** Of children having come, gone or changed places. @param {Rec} parent @param {Rec[]} kids those that are there */
    ofPosition(parent, kids) {
      /** @type {Looks[]} */
      const looks = [];
      for (let at = 0; at < kids.length && kids.length <= MOST_KIDS; at++) {
        const { tag, names, values } = kids[at];
        if (tag !== '#text') looks[looks.length] = { tag, words: wordsOf(names, values) };
      }
      return levelOf(POSITION, { looks: kids.length <= MOST_KIDS ? looks : null, within: parent, withinParent: parent });
    },
    /** @param {Who} who @param {string} selector a probe: a pseudo-class, or a whole selector with `:has()` */
    ofProbe(who, selector) {
      return levelOf(selector === NOT_DEFINED ? ':defined' : selector, who) || 1;
    },
    /** @param {Who} who @param {string} name @param {string | null} before @param {string | null} now */
    ofAttribute(who, name, before, now) {
      let level = levelOf('[' + name, who);
      if (name === 'class') level = higher(level, ofWords(who, before || '', now || ''));
      else if (name === 'id') level = higher(level, higher(levelOf('#' + before, who), levelOf('#' + now, who)));
      else if (name === 'style') level = higher(level, handsDown(dom, before || '') || handsDown(dom, now || '') ? 2 : 1);
      // Any other may be a presentational hint, but these are nobody's.
      else if (!dom.exec(/^(?:data-|aria-|on)/, name)) level = higher(level, 1);
      return level;
    },
  };

  /** Classes that only one of the two has. @param {Who} who @param {string} before @param {string} now */
  function ofWords(who, before, now) {
    return higher(ofMissing(who, before, now), ofMissing(who, now, before));
  }

  /** @param {Who} who @param {string} some @param {string} others */
  function ofMissing(who, some, others) {
    let level = 0;
    const word = /[^\t\n\f\r ]+/g;
    for (let match = dom.exec(word, some); match; match = dom.exec(word, some)) {
      if (!hasWord(others, match[0])) level = higher(level, levelOf('.' + match[0], who));
    }
    return level;
  }

  /** @param {string} text @param {string} wanted */
  function hasWord(text, wanted) {
    const word = /[^\t\n\f\r ]+/g;
    for (let match = dom.exec(word, text); match; match = dom.exec(word, text)) if (match[0] === wanted) return true;
    return false;
  }
}

/** Whether declarations set something that others show, and its own style may not. That a custom property is used is no such thing. @param {Dom} dom @param {string} declarations */
export function handsDown(dom, declarations) {
  return dom.exec(HANDED_DOWN, declarations) !== null;
}

/** @param {Dom} dom @param {(mention: string, more: Mention) => void} raise @param {string} condition */
function addScope(dom, raise, condition) {
  const all = anywhere(dom.exec(/[+~]/, condition) ? 3 : 2);
  addMentions(dom, raise, condition, all, all);
}

/** @param {number} level @returns {Mention} */
function anywhere(level) {
  return { level, needs: null, target: null, inherited: false };
}

/** @param {number} a @param {number} b */
export function higher(a, b) {
  return a > b ? a : b;
}

/** @param {Dom} dom @param {(mention: string, more: Mention) => void} raise @param {Selector} selector */
function addSelector(dom, raise, selector) {
  const { inherited } = selector;
  const parts = splitSelector(dom, selector.text);
  for (let at = 0; at < parts.length; at++) {
    const { before, subject, siblings, hidden, followers } = parts[at];
    const far = siblings ? 3 : 2;
    const slotted = siblings ? null : dom.exec(/^::slotted\(([^()]*)\)$/, subject);
    if (slotted && !dom.exec(OF_ANOTHER, slotted[1])) {
      // The bracket is of the element itself, which stands outside. Whom a slot shows nobody can be asked.
      const own = { ...anywhere(inherited ? 2 : 1), needs: needsOf(dom, slotted[1]) };
      addMentions(dom, raise, slotted[1], own, own);
      for (let index = 0; index < before.length; index++) {
        const said = { ...anywhere(far), needs: needsOf(dom, before[index]) };
        addMentions(dom, raise, before[index], said, { ...said, needs: null });
      }
      continue;
    }
    const others = dom.exec(/::part|::slotted|:host-context|\\[0-9a-fA-F]/, subject) !== null;
    const own = { ...anywhere(inherited || others ? 2 : 1), needs: needsOf(dom, subject) };
    // A bracket may ask for the element itself, or for others: `:not(.this .that)`. What it says is not asked for: it was otherwise before.
    const clever = others || dom.exec(/\([^()]*(?:[^\s,(]\s+[^\s,)]|[>+~(])/, subject) !== null;
    const bare = clever ? withoutFunctions(dom, subject) : subject;
    addMentions(dom, raise, subject, own, clever ? { level: far, needs: null, target: targetOf(dom, bare), inherited } : { ...own, needs: null });
    const target = targetOf(dom, bare);
    for (let index = 0; index < before.length; index++) {
      const said = { level: far, needs: needsOf(dom, before[index]), target, inherited };
      addMentions(dom, raise, before[index], said, { ...said, needs: null });
    }
    if (siblings) {
      // Who stands behind a sibling: within brackets nobody knows who that is.
      for (let index = 0; index < followers.length; index++) raise(POSITION, { level: 2, needs: needsOf(dom, followers[index]), target, inherited });
      if (hidden) raise(POSITION, { level: 2, needs: null, target, inherited });
    }
    // Nobody else's business, but for `:has()`: the probe answers for the whole selector.
    if (dom.findText(selector.text, ':has(') >= 0) raise(selector.text, anywhere(siblings ? 3 : inherited ? 2 : 1));
  }
}

/** Compounds that say something of another element than the one they stand for, or in a way that is too much for `needsOf`. */
const OF_ANOTHER = /::part|::slotted|:host|::cue|&/;
const NOT_TAKEN_APART = /\||\\[0-9a-fA-F]|["'][^"']*[()[\]]/;

/**
 * Tag, classes and ids that an element has to have, now or before, for a change of it to be to the compound.
 * @param {Dom} dom @param {string} compound @returns {Mention['needs']}
 */
function needsOf(dom, compound) {
  if (dom.exec(OF_ANOTHER, compound) || dom.exec(NOT_TAKEN_APART, compound)) return null;
  const outer = withoutFunctions(dom, compound);
  const tag = dom.exec(/^[a-zA-Z][\w-]*/, outer);
  const words = [];
  // What stands in an attribute's brackets is neither class nor id.
  const word = /\[[^\]]*\]|([.#])((?:\\.|[\w-]|[^\x00-\x7f])+)/g;
  for (let match = dom.exec(word, outer); match; match = dom.exec(word, outer)) {
    if (match[1]) words[words.length] = match[1] + dom.lower(unescaped(dom, match[2]));
  }
  return { tag: tag ? dom.lower(tag[0]) : '', words };
}

/** What a selector ends with, to be asked for; nothing where that is all, or cannot be asked for. @param {Dom} dom @param {string} subject */
function targetOf(dom, subject) {
  if (dom.exec(OF_ANOTHER, subject)) return null;
  const target = withoutPseudoElements(subject, dom);
  return dom.exec(/[a-zA-Z.#[]/, target) ? target : null;
}

/**
 * @param {Dom} dom @param {(mention: string, more: Mention) => void} raise @param {string} text
 * @param {Mention} more what is said where it stands free @param {Mention} inBrackets and where it stands in a bracket
 */
function addMentions(dom, raise, text, more, inBrackets) {
  const mention = /([.#])((?:\\.|[\w-]|[^\x00-\x7f])+)|\[\s*(?:[\w*]*\|)?([\w:-]+)|:(?!:)([a-zA-Z-]+)(\([^()]*\))?/g;
  for (let match = dom.exec(mention, text); match; match = dom.exec(mention, text)) {
    const said = walkSelector(dom.sliceText(text, 0, match.index), () => {}) ? inBrackets : more;
    if (match[1]) raise(match[1] + unescaped(dom, match[2]), said);
    else if (match[3]) raise('[' + dom.lower(match[3]), said);
    else if (dom.exec(/^(?:first|last|only|nth)/, match[4])) raise(POSITION, said);
    else if (match[4] === 'lang') raise('[lang', anywhere(2));
    else raise(':' + match[4] + (match[5] || ''), said);
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
 * The complex selectors of a list: the last compound, those before it, and whether siblings are involved anywhere.
 * @param {Dom} dom @param {string} text
 */
function splitSelector(dom, text) {
  /** @type {{before: string[], subject: string, siblings: boolean, hidden: boolean, followers: string[]}[]} `hidden`: siblings within brackets */
  const parts = [];
  /** @type {string[]} */
  let before = [];
  /** @type {string[]} compounds behind a `+` or `~` */
  let followers = [];
  let follows = false;
  let hidden = false;
  let compound = 0;
  let siblings = false;
  const token = /\\.|"(?:[^"\\]|\\.)*"|\[[^\]]*\]|:nth-[a-z-]+\([^()]*\)|\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)|,|\s*([>+~\s])\s*/g;
  for (let match = dom.exec(token, text); ; match = dom.exec(token, text)) {
    if (match && match[0] !== ',') {
      if (match[0][0] === '(' && dom.exec(/[+~]/, match[0])) siblings = hidden = true;
      if (match[0][0] === ':' && dom.exec(/ of /, match[0])) siblings = hidden = true;
      if (!match[1]) continue;
      before[before.length] = dom.sliceText(text, compound, match.index);
      if (follows) followers[followers.length] = before[before.length - 1];
      follows = match[1] === '+' || match[1] === '~';
      siblings = siblings || follows;
      compound = match.index + match[0].length;
      continue;
    }
    const end = match ? match.index : text.length;
    const subject = dom.sliceText(text, compound, end);
    if (follows) followers[followers.length] = subject;
    parts[parts.length] = { before, subject, siblings, hidden, followers };
    if (!match) return parts;
    before = [];
    followers = [];
    follows = hidden = false;
    compound = end + 1;
    siblings = false;
  }
}
