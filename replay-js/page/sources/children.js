/**
 * Documents without a network: `about:blank`, `srcdoc`, `blob:` and `javascript:` frames and pop-ups. The proxy never sees
 * them, so the document that makes them puts the sources into them, as soon as they can be reached; their events are
 * events of its own load.
 */
import { apply, captureRealm, getterOf, newWeakMap, slice } from '../natives.js';
import { forWords } from './answers.js';

const INSERTING = [
  'Node appendChild insertBefore replaceChild',
  'Element after append before insertAdjacentElement insertAdjacentHTML prepend replaceChildren replaceWith',
  'DocumentFragment append prepend replaceChildren',
  'Document write writeln',
  'Range insertNode',
];

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../patch.js').Patcher} patch
 * @param {(child: import('../natives.js').Realm, frame: any) => void} instrument puts the sources into a window
 */
export function installChildren(realm, patch, instrument) {
  const { global } = realm;
  const frameCount = getterOf(global, 'length');
  const Frame = global.HTMLIFrameElement.prototype;
  const contentWindow = getterOf(Frame, 'contentWindow');
  /** Windows persist while documents in them change; what tells one from another are its own built-ins. */
  const known = newWeakMap();
  let counted = 0;

  /** @param {any} frame */
  function lookInto(frame) {
    const src = realm.getAttribute(frame, 'src');
    // An http document replaces the blank one at once, and brings a script of its own.
    if (src === null || src === '' || slice(src, 0, 5) === 'about' || slice(src, 0, 10) === 'javascript' || slice(src, 0, 5) === 'blob:') {
      reach(contentWindow(frame), frame);
    }
  }

  /**
   * @param {any} child
   * @param {any} frame
   */
  function reach(child, frame) {
    try {
      const builtin = child?.Object;
      if (!builtin || known.has(builtin) || !isLocal(child.location.href)) {
        return;
      }
      known.set(builtin, true);
      instrument(captureRealm(child), frame);
    } catch {
      // Of another origin, or gone already: nothing of ours can be in there.
    }
  }

  function lookForNew() {
    const count = frameCount(global);
    if (count !== counted) {
      counted = count;
      const frames = realm.byTagName(global.document, 'iframe');
      for (let i = 0; i < frames.length; i += 1) {
        lookInto(frames[i]);
      }
    }
  }

  patch.accessor(Frame, 'contentWindow', (get) => ({
    get contentWindow() {
      const child = apply(get, this, []);
      lookInto(this);
      return child;
    },
  }));
  patch.accessor(Frame, 'contentDocument', (get) => ({
    get contentDocument() {
      lookInto(this);
      return apply(get, this, []);
    },
  }));

  forWords(INSERTING, (owner, name) => {
    patch.method(global[owner].prototype, name, (original) => ({
      insert() {
        const result = apply(original, this, arguments);
        lookForNew();
        return result;
      },
    }).insert);
  });
  forWords(['Element innerHTML outerHTML'], (owner, name) => {
    patch.accessor(global[owner].prototype, name, (_get, set) => ({
      set [name](/** @type {any} */ html) {
        apply(set, this, [html]);
        lookForNew();
      },
    }));
  });
  patch.method(global, 'open', (original) => ({
    open() {
      const opened = apply(original, this ?? global, arguments);
      reach(opened, null);
      return opened;
    },
  }).open);

  return { lookForNew };
}

/** @param {string} href */
function isLocal(href) {
  return slice(href, 0, 6) === 'about:' || slice(href, 0, 5) === 'blob:';
}
