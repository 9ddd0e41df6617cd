/**
 * Documents without a network: `about:blank`, `srcdoc`, `blob:` and `javascript:` frames and pop-ups. The proxy never sees
 * them, so the document that makes them puts the sources into them, as soon as they can be reached; their events are
 * events of its own load.
 */
import { apply, captureRealm, defineAsGiven, descriptorAsFound, forWords, getterOf, newWeakMap, slice } from '../natives.js';

const INSERTING = [
  'Node appendChild insertBefore replaceChild',
  'Element after append before insertAdjacentElement insertAdjacentHTML prepend replaceChildren replaceWith',
  'DocumentFragment append prepend replaceChildren',
  'Document write writeln',
  'Range insertNode',
];

/**
 * What a `srcdoc` that a script sets begins with: where the frame's window is a new one, nothing but its first script
 * comes before the page's. Such documents are never in quirks mode, and have a doctype or not.
 */
const FIRST = '<!doctype html><script>frameElement?.contentWindow;document.currentScript.remove()</script>';

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../record/engine.js').Engine} engine
 * @param {import('../patch.js').Patcher} patch
 * @param {(child: import('../natives.js').Realm, frame: any) => void} instrument puts the sources into a window
 */
export function installChildren(realm, engine, patch, instrument) {
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
    if (!src || isLocal(src)) {
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

  forWords(['HTMLIFrameElement contentWindow contentDocument'], (owner, name) => {
    patch.accessor(global[owner].prototype, name, (get) => ({
      get [name]() {
        lookInto(this);
        return apply(get, this, []);
      },
    }));
  });
  /**
   * Not where the script would be refused, which is an error that pages see.
   * @param {any} frame
   * @param {any} html a string, or what the page's policy trusts
   */
  function withFirst(frame, html) {
    return typeof html === 'string' && engine.inline && !realm.hasAttribute(frame, 'sandbox') ? FIRST + html : html;
  }

  patch.accessor(Frame, 'srcdoc', (get, set) => ({
    get srcdoc() {
      return withoutFirst(apply(get, this, []));
    },
    set srcdoc(/** @type {any} */ html) {
      apply(set, this, [withFirst(this, html)]);
    },
  }));
  // Of frames alone: what all elements have is called too often.
  forWords(['Element getAttribute setAttribute'], (owner, name) => {
    defineAsGiven(Frame, name, /** @type {any} */ (descriptorAsFound(global[owner].prototype, name)));
  });
  patch.method(Frame, 'getAttribute', (original) => ({
    getAttribute(/** @type {any} */ name) {
      const value = apply(original, this, arguments);
      return name === 'srcdoc' && value ? withoutFirst(value) : value;
    },
  }).getAttribute);
  patch.method(Frame, 'setAttribute', (original) => ({
    setAttribute(/** @type {any} */ name) {
      const frame = /** @type {any} */ (this);
      const given = arguments;
      given[1] = name === 'srcdoc' ? withFirst(frame, given[1]) : given[1];
      apply(original, frame, given);
      // Which attribute is set first is a matter of libraries.
      const html = frame.srcdoc;
      if (name === 'sandbox' && html && html !== realm.getAttribute(frame, 'srcdoc') && contentWindow(frame) === null) {
        frame.srcdoc = html;
      }
    },
  }).setAttribute);

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

/** @param {string} html */
function withoutFirst(html) {
  return slice(html, slice(html, 0, FIRST.length) === FIRST ? FIRST.length : 0);
}

/** @param {string} href */
function isLocal(href) {
  return slice(href, 0, 6) === 'about:' || slice(href, 0, 5) === 'blob:' || slice(href, 0, 11) === 'javascript:';
}
