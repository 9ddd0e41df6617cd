// Two things that cannot be seen by looking at a page, only by having been there: closed shadow roots, and rules of a large
// style sheet that the page edits in place. For the latter it is enough to know which rules' style objects the page ever
// held in its hands: their text is compared at each checkpoint, all others' is not.
import { append, apply, newMap, newWeakMap } from '../natives.js';

/** @typedef {ReturnType<typeof createPageWatch>} PageWatch */

/** @param {import('./dom.js').Dom} dom */
export function createPageWatch(dom) {
  const shadows = newWeakMap();
  /** @type {any[]} */
  const roots = [];
  const known = newMap();
  /** @type {{rule: any, text: string}[]} rules whose text may change from now on, and what it was */
  const handedOut = [];

  /** @param {any} rule */
  function handOut(rule) {
    if (known.has(rule)) return;
    known.set(rule, true);
    append(handedOut, { rule, text: dom.ruleText(rule) });
  }

  /** @param {any} patch @param {any} prototype @param {string} name */
  function watchAccessor(patch, prototype, name) {
    patch.accessor(prototype, name, (/** @type {any} */ get, /** @type {any} */ set) => ({
      /** @this {any} */
      get [name]() {
        const value = apply(get, this, []);
        handOut(this);
        return value;
      },
      /** @this {any} @param {any} value */
      set [name](value) {
        // The browser's own complaint about a wrong receiver comes first.
        apply(get, this, []);
        handOut(this);
        apply(set, this, [value]);
      },
    }));
  }

  return {
    /** Whether the page edited a rule since it was asked the last time. */
    rulesEdited() {
      let edited = false;
      for (let at = 0; at < handedOut.length; at++) {
        const text = dom.ruleText(handedOut[at].rule);
        if (text !== handedOut[at].text) edited = true;
        handedOut[at].text = text;
      }
      return edited;
    },
    /** Shadow roots that the page's script has made. */
    roots,
    /** @param {any} host */
    shadowOf: host => dom.openShadow(host) || shadows.get(host) || null,
    /**
     * @param {any} global
     * @param {import('../patch.js').Patcher} patch
     */
    install(global, patch) {
      patch.method(global.Element.prototype, 'attachShadow', original => ({
        /** @this {any} @param {any} init */
        attachShadow(init) {
          const root = apply(original, this, [init]);
          shadows.set(this, root);
          append(roots, root);
          return root;
        },
      }).attachShadow);
      const rule = global.CSSStyleRule.prototype;
      watchAccessor(patch, rule, 'style');
      watchAccessor(patch, rule, 'styleMap');
      watchAccessor(patch, rule, 'selectorText');
      watchAccessor(patch, global.CSSMediaRule.prototype, 'media');
      if (global.CSSNestedDeclarations) watchAccessor(patch, global.CSSNestedDeclarations.prototype, 'style');
    },
  };
}
