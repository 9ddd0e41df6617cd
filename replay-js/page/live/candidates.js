/**
 * What can be acted on in a document: links, buttons, fields, roles, whatever listens to a hand and whatever looks like
 * it. In document order, each with the locators that it is found by again.
 */
import { append, getterOf, newWeakMap } from '../natives.js';
import { shortText } from '../target/nodes.js';
import { selectAll } from '../target/select.js';
import { describeTarget } from '../target/describe.js';
import { rootsOf } from '../target/roots.js';

const BY_TAG = 'a[href], area[href], button, input, select, textarea, summary, [contenteditable=""], [contenteditable="true"]';
const ROLES = { __proto__: null, button: 1, link: 1, menuitem: 1, menuitemcheckbox: 1, menuitemradio: 1, option: 1, tab: 1, treeitem: 1, switch: 1, checkbox: 1, radio: 1, combobox: 1, gridcell: 1 };
const MOST = 2_000;
const TEXT_LIMIT = 80;

/**
 * @param {import('../replay/realm.js').ReplayRealm} realm
 * @param {import('./listeners.js').Listeners} listeners
 * @param {import('./view.js').View} view
 * @param {import('../collect/dom.js').Dom} dom
 * @param {(host: any) => any} shadowOf
 * @param {import('./covers.js').Covers} covers
 */
export function createCandidates(realm, listeners, view, dom, shadowOf, covers) {
  const { global } = realm;
  const innerText = getterOf(global.HTMLElement.prototype, 'innerText');

  /**
   * Why an element is one, or null.
   * @param {any} element
   * @param {WeakMap<object, any>} byTag
   */
  function kindOf(element, byTag) {
    const heard = listeners.of(element, realm.hasAttribute);
    if (byTag.has(element)) {
      return { why: 'tag', heard };
    }
    const role = realm.getAttribute(element, 'role');
    if (role && role in ROLES) {
      return { why: 'role', heard };
    }
    if (heard.length > 0 && element !== global.document.body && element !== global.document.documentElement) {
      return { why: 'listener', heard };
    }
    if (view.style(element).cursor === 'pointer' && !(element.parentElement && view.style(element.parentElement).cursor === 'pointer')) {
      return { why: 'cursor', heard };
    }
    return null;
  }

  /**
   * @param {any} element
   * @param {{why: string, heard: string[]}} kind
   */
  function describe(element, kind) {
    const box = realm.boundingBox(element);
    const tag = realm.localName(element);
    const field = tag === 'input' || tag === 'select' || tag === 'textarea';
    const form = field || tag === 'button' ? element.form : null;
    /** @type {any} */
    const found = {
      __proto__: null,
      target: describeTarget(element, dom),
      tag,
      why: kind.why,
      heard: kind.heard,
      text: field ? '' : shortText('' + (innerText(element) ?? ''), TEXT_LIMIT),
      box: [box.left, box.top, box.width, box.height],
      href: tag === 'a' || tag === 'area' ? '' + element.href : undefined,
      new_window: (tag === 'a' || tag === 'area') && element.target === '_blank' ? true : undefined,
      download: tag === 'a' && realm.hasAttribute(element, 'download') ? true : undefined,
      form: form ? describeTarget(form, dom).path : undefined,
      form_action: form ? '' + form.action : undefined,
    };
    if (tag === 'input' || tag === 'button') {
      found.type = element.type;
    }
    if (field) {
      describeField(element, tag, found);
    }
    return found;
  }

  /**
   * @param {any} element
   * @param {string} tag
   * @param {any} found
   */
  function describeField(element, tag, found) {
    found.required = element.required || undefined;
    found.pattern = realm.getAttribute(element, 'pattern') ?? undefined;
    found.min = realm.getAttribute(element, 'min') ?? undefined;
    found.max = realm.getAttribute(element, 'max') ?? undefined;
    found.max_length = element.maxLength > 0 ? element.maxLength : undefined;
    found.autocomplete = realm.getAttribute(element, 'autocomplete') ?? undefined;
    found.value = element.type === 'password' ? undefined : shortText('' + element.value, TEXT_LIMIT);
    if (tag === 'select') {
      /** @type {any[]} */
      const options = [];
      for (let i = 0; i < element.options.length && i < MOST; i += 1) {
        const option = element.options[i];
        append(options, { __proto__: null, value: '' + option.value, disabled: !!option.disabled });
      }
      found.options = options;
    }
  }

  return {
    /** @param {{click?: string[], never?: string[]}} asked selectors of the person's */
    list({ click = [], never = [] }) {
      /** @type {any[]} */
      const found = [];
      /** @type {any[]} */
      const shown = [];
      const byTag = newWeakMap();
      const forbidden = newWeakMap();
      const roots = rootsOf(dom, global.document, shadowOf);
      for (let r = 0; r < roots.length; r += 1) {
        mark(roots[r], [BY_TAG], byTag);
        mark(roots[r], click, byTag);
        mark(roots[r], never, forbidden);
      }
      for (let r = 0; r < roots.length; r += 1) {
        const elements = selectAll(dom, roots[r], '*');
        for (let i = 0; i < elements.length && found.length < MOST; i += 1) {
          const element = elements[i];
          const kind = forbiddenAt(element, forbidden) || element.disabled === true ? null : kindOf(element, byTag);
          if (kind && view.isShown(element)) {
            append(found, describe(element, kind));
            append(shown, element);
          }
        }
      }
      const above = covers.of(shown);
      for (let i = 0; i < found.length; i += 1) {
        found[i].covered = above[i];
      }
      return found;
    },
  };

  /**
   * @param {any} root
   * @param {string[]} selectors
   * @param {WeakMap<object, any>} marks
   */
  function mark(root, selectors, marks) {
    for (let s = 0; s < selectors.length; s += 1) {
      const elements = selectAll(dom, root, selectors[s]);
      for (let i = 0; i < elements.length; i += 1) {
        marks.set(elements[i], true);
      }
    }
  }

  /**
   * @param {any} element
   * @param {WeakMap<object, any>} forbidden
   */
  function forbiddenAt(element, forbidden) {
    for (let at = element; at; at = at.parentElement) {
      if (forbidden.has(at)) {
        return true;
      }
    }
    return false;
  }
}
