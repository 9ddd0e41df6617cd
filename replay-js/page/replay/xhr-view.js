/**
 * What the page may see of a request: the state the log has reached, while the browser's own object is ahead. Responses
 * come from the trace by way of the proxy; only when they show is decided here.
 */
import { apply, newWeakMap, slice } from '../natives.js';

/** Events after which a request is over. */
const ENDS = { __proto__: null, load: true, error: true, abort: true, timeout: true };

/** What a request tells that is taken back. */
const OF_ABORT = ['readystatechange', 'abort', 'loadend'];

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../patch.js').Patcher} patch
 */
export function installXhrView(realm, patch) {
  const { prototype } = realm.XMLHttpRequest;
  /** @type {WeakMap<object, any>} of requests that were sent, and are waited for by events */
  const views = newWeakMap();
  const { Event, ProgressEvent } = realm.global;
  /** @type {any} */
  const native = { __proto__: null };
  const properties = ['readyState', 'status', 'statusText', 'responseText', 'response', 'responseXML', 'responseURL'];
  for (let i = 0; i < properties.length; i += 1) {
    const name = properties[i];
    patch.accessor(prototype, name, (get) => {
      native[name] = (/** @type {any} */ xhr) => apply(get, xhr, []);
      return {
        get [name]() {
          const view = views.get(this);
          return view ? view.get(name) : apply(get, this, []);
        },
      };
    });
  }
  const headers = ['getResponseHeader', 'getAllResponseHeaders'];
  for (let i = 0; i < headers.length; i += 1) {
    patch.method(prototype, headers[i], (original) => ({
      seen() {
        const view = views.get(this);
        if (view && !view.hasHead()) {
          return headers[i] === 'getResponseHeader' ? null : '';
        }
        return apply(original, this, arguments);
      },
    }).seen);
  }

  patch.method(prototype, 'open', (original) => ({
    open() {
      views.delete(this);
      return apply(original, this, arguments);
    },
  }).open);

  // An answer comes at once here, and whole: nothing is left to take back, where there was something in the recording.
  patch.method(prototype, 'abort', (original) => ({
    abort() {
      const view = views.get(this);
      const told = view?.takeBack();
      const result = apply(original, this, []);
      told?.();
      return result;
    },
  }).abort);

  /**
   * Called as a request is sent.
   * @param {any} xhr
   * @param {import('./engine.js').Entry} entry
   */
  return function showFrom(xhr, entry) {
    const view = viewOf(xhr, entry);
    views.set(xhr, view);
    return view;
  };

  /**
   * @param {any} xhr
   * @param {import('./engine.js').Entry} entry
   */
  function viewOf(xhr, entry) {
    let state = 1;
    let failed = false;
    /** How much of the text is there; all of it when undefined. */
    let shown = /** @type {number | undefined} */ (0);

    /** @param {string} type */
    function ended(type) {
      for (let i = 0; i < entry.arrivals.length; i += 1) {
        if (ENDS[/** @type {'load'} */ (entry.arrivals[i].type)]) {
          return type === '' || entry.arrivals[i].type === type;
        }
      }
      return false;
    }

    return {
      /** @param {string} name */
      get(name) {
        const hasHead = state >= 2 && !failed;
        switch (name) {
          case 'readyState':
            return state;
          case 'status':
            return hasHead ? native.status(xhr) : 0;
          case 'statusText':
          case 'responseURL':
            return hasHead ? native[name](xhr) : '';
          case 'responseXML':
            return state === 4 && !failed ? native.responseXML(xhr) : null;
          default:
            return body(name);
        }
      },
      hasHead: () => state >= 2 && !failed,
      /** @param {any} what */
      ready(what) {
        if (what.event === 'timeout' || ended('')) {
          return true;
        }
        return what.state < 4 && native.readyState(xhr) >= what.state && (what.state !== 3 || textLength() >= (what.progress?.[0] ?? 0));
      },
      /**
       * The page gives it up, of which it is told as it does so, unless the log has had its end.
       * @returns {() => void} to be called when the browser has given it up, too
       */
      takeBack() {
        // What is over for the browser already, it tells nothing of.
        const isDue = state < 4 && native.readyState(xhr) === 4;
        state = 4;
        failed = true;
        return () => {
          for (let i = 0; isDue && i < OF_ABORT.length; i += 1) {
            this.dispatch(OF_ABORT[i], {});
          }
          state = 0;
        };
      },
      /**
       * Shows the state of a logged event.
       * @param {any} what
       * @returns {string} the event's type, or that of how the request really ended
       */
      present(what) {
        state = what.state;
        shown = what.state === 3 ? (what.progress?.[0] ?? undefined) : undefined;
        failed = what.state === 4 && !ended('load');
        if (!ENDS[/** @type {'load'} */ (what.event)] || what.event === 'timeout' || ended(what.event)) {
          return what.event;
        }
        return ended('load') ? 'load' : 'error';
      },
      /**
       * @param {string} type
       * @param {any} what
       */
      dispatch(type, what) {
        // Taking an array apart would ask the page's iterator.
        const loaded = what.progress?.[0] ?? 0;
        const total = what.progress?.[1] ?? 0;
        const event = type === 'readystatechange' ? new Event(type) : new ProgressEvent(type, { loaded, total, lengthComputable: total > 0 });
        realm.dispatchEvent(xhr, event);
      },
    };

    function textLength() {
      const kind = xhr.responseType;
      return kind === '' || kind === 'text' ? native.responseText(xhr).length : 0;
    }

    /** @param {string} name */
    function body(name) {
      const kind = xhr.responseType;
      const isText = kind === '' || kind === 'text';
      if (name === 'responseText' || isText) {
        if (state < 3 || failed) {
          return '';
        }
        const all = native.responseText(xhr);
        return shown === undefined || state === 4 ? all : slice(all, 0, shown);
      }
      return state === 4 && !failed ? native.response(xhr) : null;
    }
  }
}
