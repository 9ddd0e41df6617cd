/** @typedef {import('./dom.js').Dom} Dom */

/** @param {string} selector @param {Dom} dom */
export function withoutPseudoElements(selector, dom) {
  let result = '';
  let from = 0;
  const element = /::[a-zA-Z-]+(?:\([^()]*\))?|:(?:before|after)\b/g;
  for (let match = dom.exec(element, selector); match; match = dom.exec(element, selector)) {
    result += dom.sliceText(selector, from, match.index);
    from = match.index + match[0].length;
  }
  return result + dom.sliceText(selector, from);
}

/** So many selectors around a nested one are taken one by one. */
const MOST_AROUND = 16;

/**
 * A selector of a rule within another one, as it would be alone.
 * @param {Dom} dom @param {string} selector @param {string} outer
 */
export function resolveNested(dom, selector, outer) {
  const around = branchesOf(dom, outer);
  const branches = branchesOf(dom, selector);
  let result = '';
  for (let at = 0; at < branches.length; at++) {
    const branch = branches[at];
    const names = dom.findText(branch, '&') >= 0;
    // Without a `&` it means what is below, or beside where it begins with a sign for that.
    const rest = names ? dom.exec(/^&(?=$|[.#:[\s>+~])([^&]*)$/, branch) : [branch, ' ' + branch];
    if (rest && around.length <= MOST_AROUND) {
      for (let index = 0; index < around.length; index++) result += (result ? ', ' : '') + around[index] + rest[1];
    } else {
      result += (result ? ', ' : '') + withNames(rest ? '&' + rest[1] : branch, ':is(' + outer + ')');
    }
  }
  return result;
}

/** @param {Dom} dom @param {string} list */
function branchesOf(dom, list) {
  const branches = [''];
  walkSelector(list, (letter, depth) => {
    if (letter !== ',' || depth) branches[branches.length - 1] += letter;
    else branches[branches.length] = '';
  });
  for (let at = 0; at < branches.length; at++) branches[at] = trimmed(dom, branches[at]);
  return branches;
}

/** @param {Dom} dom @param {string} text */
function trimmed(dom, text) {
  const inner = dom.exec(/\S(?:[^]*\S)?/, text);
  return inner ? inner[0] : '';
}

/** @param {string} branch @param {string} name what each `&` stands for */
function withNames(branch, name) {
  let result = '';
  walkSelector(branch, letter => {
    result += letter === '&' ? name : letter;
  });
  return result;
}

/** Without `:is(…)`, `:not(…)` and their like. @param {Dom} dom @param {string} compound */
export function withoutFunctions(dom, compound) {
  let result = '';
  let name = 0;
  walkSelector(compound, (letter, _depth, functions) => {
    if (letter === ':' && !functions) name = result.length;
    if (letter === '(' && functions === 1) result = dom.sliceText(result, 0, name);
    if (!functions) result += letter;
  });
  return result;
}

/**
 * Letter by letter; one that is escaped (`\\[`) comes with its sign, and is no bracket.
 * @param {string} text
 * @param {(letter: string, depth: number, functions: number) => void} run told in how many brackets of any kind, and in how many round ones, a
 * letter stands; brackets stand in themselves
 * @returns {number} how many round ones are open at the end
 */
export function walkSelector(text, run) {
  let depth = 0;
  let functions = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] === '\\' ? text[at] + (text[++at] || '') : text[at];
    if (letter === '(' || letter === '[') depth++;
    if (letter === '(') functions++;
    run(letter, depth, functions);
    if (letter === ')' || letter === ']') depth--;
    if (letter === ')') functions--;
  }
  return functions;
}
