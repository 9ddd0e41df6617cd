/** The style sheets that something has asked for which tells that it is loaded. What these import, the trace knows. */
import { append, getterOf, objectTag, uncurry } from '../natives.js';

const DOCUMENT = 9;

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./targets.js').Targets} targets
 */
export function createSheetsOf(realm, targets) {
  const { Document, HTMLLinkElement, HTMLStyleElement, CSSStyleSheet, CSSImportRule, URL } = realm.global;
  const queryAll = uncurry(Document.prototype.querySelectorAll);
  const addressOf = getterOf(HTMLLinkElement.prototype, 'href');
  const sheetOf = getterOf(HTMLStyleElement.prototype, 'sheet');
  const rulesOf = getterOf(CSSStyleSheet.prototype, 'cssRules');
  const importedBy = getterOf(CSSImportRule.prototype, 'href');

  /**
   * @param {any} element `link` or `style`
   * @param {string[]} addresses
   */
  function add(element, addresses) {
    if (realm.localName(element) === 'link') {
      append(addresses, addressOf(element));
      return;
    }
    const sheet = sheetOf(element);
    const rules = sheet ? rulesOf(sheet) : [];
    for (let i = 0; i < rules.length && objectTag(rules[i]) === '[object CSSImportRule]'; i += 1) {
      try {
        append(addresses, new URL(importedBy(rules[i]), element.baseURI).href);
      } catch {
        // Nobody asks for what is no address.
      }
    }
  }

  /**
   * @param {any} what
   * @returns {string[]}
   */
  return (what) => {
    const { target } = targets.find(what.target);
    /** @type {string[]} */
    const addresses = [];
    if (target?.nodeType === 1 && realm.localName(target) === 'link') {
      add(target, addresses);
      return addresses;
    }
    const inner = target?.nodeType === DOCUMENT ? target : (target?.contentDocument ?? target?.document);
    const elements = inner ? queryAll(inner, 'link, style') : [];
    for (let i = 0; i < elements.length; i += 1) {
      add(elements[i], addresses);
    }
    return addresses;
  };
}

/** @typedef {ReturnType<typeof createSheetsOf>} SheetsOf */
