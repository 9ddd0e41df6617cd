/**
 * What a service worker gets in front of its script.
 *
 * While recording, what it answers in the network's place is told to the proxy, and becomes an exchange of the trace: in a replay it
 * is what the network answers. What it asks the network for itself is told apart, since it answers nobody but the worker. A response
 * that came through the proxy for the very request it is given to needs no telling.
 *
 * While replaying the worker runs for real, but never hears of a request: so it is installed, takes pages over and speaks to them
 * as it did.
 */
import { newPromise } from './more-natives.js';
import { append, apply, indexOf, newWeakMap, parseJson, settledPromise, slice, then, uncurry } from './natives.js';
import { encode } from './json.js';
import { createPatcher } from './patch.js';

/** How long a page may wait for the proxy to have what it is given: usually a millisecond, but a stream may never end. */
const PATIENCE_MS = 100;

/** What describes the bytes on the wire, which nobody sees behind a worker. */
const OF_THE_WIRE = /** @type {any} */ ({ __proto__: null, 'content-encoding': true, 'content-length': true, 'transfer-encoding': true });

/**
 * @param {any} global
 * @param {string} configText `endpoint`, and whether it `records`
 */
export function startServiceWorker(global, configText) {
  const config = parseJson(configText);
  const patch = createPatcher(global);
  const tell = teller(global, config.endpoint);
  const fetches = watchFetches(global, patch, tell);
  if (config.records) {
    keepOursApart(global, config.endpoint);
    watchAnswers(global, patch, tell, fetches);
  } else {
    keepFromAnswering(global, patch);
  }
}

/**
 * @param {any} global
 * @param {string} endpoint
 */
function teller(global, endpoint) {
  const { fetch, Blob } = global;
  const url = global.location.origin + endpoint + '/worker';
  /**
   * @param {any} what
   * @param {any} [bytes]
   */
  return function tell(what, bytes) {
    const body = new Blob([encode(what), '\n', bytes ?? '']);
    return apply(fetch, global, [url, { method: 'POST', body }]);
  };
}

/**
 * What the worker asks the network for: announced before, so that the proxy knows it, and told of when it is clear whether a page
 * was given it.
 * @param {any} global
 * @param {import('./patch.js').Patcher} patch
 * @param {ReturnType<typeof teller>} tell
 */
function watchFetches(global, patch, tell) {
  const { Request } = global;
  const entries = newWeakMap();
  /** @type {any[]} came while pages were being answered */
  let undecided = [];
  let answering = 0;
  let last = 0;

  /** @param {any} request */
  function announce(request) {
    last += 1;
    return { id: last, method: request.method, url: request.url, over: false };
  }

  /**
   * @param {any} entry
   * @param {boolean} passed
   */
  function over(entry, passed) {
    if (!entry.over) {
      entry.over = true;
      then(tell({ over: { id: entry.id, passed } }), ignore, ignore);
    }
  }

  /** @param {any[]} list */
  const allOver = (list) => {
    for (let i = 0; i < list.length; i += 1) {
      over(list[i], false);
    }
  };

  /**
   * @param {any[]} list
   * @param {() => any} ask
   */
  const after = (list, ask) => then(tell({ fetching: list }), ask, ask);

  patch.method(global, 'fetch', (original) => ({
    fetch(/** @type {any} */ input, /** @type {any} */ init) {
      let request;
      try {
        request = new Request(input, init);
      } catch {
        return apply(original, global, arguments);
      }
      if (indexOf(request.url, 'http') !== 0) {
        return apply(original, global, [request]);
      }
      const entry = announce(request);
      return after([entry], () => then(
        apply(original, global, [request]),
        (/** @type {any} */ response) => {
          entries.set(response, entry);
          if (answering > 0) {
            append(undecided, entry);
          } else {
            over(entry, false);
          }
          return response;
        },
        (/** @type {any} */ error) => {
          over(entry, false);
          throw error;
        },
      ));
    },
  }).fetch);

  const stores = ['add', 'addAll'];
  for (let i = 0; i < stores.length; i += 1) {
    patch.method(global.Cache?.prototype, stores[i], (original) => ({
      store(/** @type {any} */ given) {
        const cache = this;
        const list = /** @type {any[]} */ ([]);
        let wanted = given;
        try {
          wanted = stores[i] === 'add' ? given : [...given];
          const all = stores[i] === 'add' ? [given] : wanted;
          for (let k = 0; k < all.length; k += 1) {
            append(list, announce(new Request(all[k])));
          }
        } catch {
          return apply(original, cache, [wanted]);
        }
        const ask = () => then(
          apply(original, cache, [wanted]),
          (/** @type {any} */ value) => {
            allOver(list);
            return value;
          },
          (/** @type {any} */ error) => {
            allOver(list);
            throw error;
          },
        );
        return after(list, ask);
      },
    }).store);
  }

  patch.method(global.Response.prototype, 'clone', (original) => ({
    clone() {
      const copy = apply(original, this, []);
      const entry = entries.get(this);
      if (entry) {
        entries.set(copy, entry);
      }
      return copy;
    },
  }).clone);

  return {
    /** What came for a request by itself: the browser had asked before the worker was awake. */
    came(/** @type {any} */ response, /** @type {any} */ request) {
      entries.set(response, { method: request.method, url: request.url, over: true });
    },
    begin() {
      answering += 1;
    },
    end() {
      answering -= 1;
      if (answering === 0) {
        const all = undecided;
        undecided = [];
        allOver(all);
      }
    },
    /**
     * Whether the response came through the proxy for this very request; then it is the page's.
     * @param {any} response
     * @param {any} request
     */
    passes(response, request) {
      const entry = entries.get(response);
      const passed = entry && !(entry.over && entry.id) && entry.method === request.method && address(entry.url) === address(request.url);
      if (passed) {
        over(entry, true);
      }
      return passed;
    },
  };
}

/**
 * @param {any} global
 * @param {import('./patch.js').Patcher} patch
 * @param {ReturnType<typeof teller>} tell
 * @param {ReturnType<typeof watchFetches>} fetches
 */
function watchAnswers(global, patch, tell, fetches) {
  const { Response } = global;
  const { timeOrigin } = global.performance;
  const now = uncurry(global.performance.now);
  const later = uncurry(global.setTimeout);
  const clone = uncurry(Response.prototype.clone);
  const arrayBuffer = uncurry(Response.prototype.arrayBuffer);
  const waitUntil = uncurry(global.ExtendableEvent.prototype.waitUntil);

  /** @param {string} text */
  const notice = (text) => then(tell({ notice: text }), ignore, ignore);

  /**
   * @param {any} request
   * @param {number} started
   * @param {any} [response]
   */
  function described(request, started, response) {
    const { method, url, mode } = request;
    const headers = pairs(request.headers);
    const referrer = request.referrer;
    if (indexOf(referrer, 'http') === 0) {
      append(headers, ['referer', referrer]);
    }
    append(headers, ['sec-fetch-dest', request.destination || 'empty']);
    append(headers, ['sec-fetch-mode', mode]);
    if (request.cache === 'no-cache' || request.cache === 'reload') {
      append(headers, ['cache-control', request.cache === 'reload' ? 'no-cache' : 'max-age=0']);
    }
    const answer = response && { status: response.status, headers: pairs(response.headers) };
    return { method, url: address(url), headers, started, answer };
  }

  /**
   * @param {any} event
   * @param {number} started
   * @param {any} response
   */
  function give(event, started, response) {
    const { request } = event;
    if (!(response instanceof Response)) {
      return response;
    }
    if (fetches.passes(response, request)) {
      return response;
    }
    const { type, status } = response;
    if (type === 'opaque' || type === 'opaqueredirect') {
      notice('A service worker answered ' + request.url + ' with a response that nobody may read: it is not in the trace.');
      return response;
    }
    if (type === 'error' || response.bodyUsed || (response.redirected && request.redirect !== 'follow')) {
      return then(tell({ answered: described(request, started) }), () => response, () => response);
    }
    const told = then(arrayBuffer(clone(response)), (/** @type {any} */ bytes) => tell({ answered: described(request, started, response) }, bytes));
    if (request.mode !== 'navigate' || (status >= 300 && status < 400)) {
      waitUntil(event, then(told, ignore, ignore));
      return new newPromise((resolve) => {
        const go = () => resolve(response);
        then(told, go, go);
        later(global, go, PATIENCE_MS);
      });
    }
    // A document comes back with our script in it.
    const { statusText } = response;
    return then(
      told,
      (/** @type {any} */ back) => (back.status === 200 ? new Response(back.body, { status, statusText, headers: back.headers }) : response),
      () => response,
    );
  }

  patch.method(global.FetchEvent.prototype, 'respondWith', (original) => ({
    respondWith(/** @type {any} */ answer) {
      const event = /** @type {any} */ (this);
      const started = timeOrigin + now(global.performance);
      fetches.begin();
      const given = then(
        then(settledPromise, () => answer),
        (/** @type {any} */ response) => give(event, started, response),
        (/** @type {any} */ error) => {
          const told = tell({ answered: described(event.request, started) });
          const fail = () => {
            throw error;
          };
          return then(told, fail, fail);
        },
      );
      then(given, fetches.end, fetches.end);
      return apply(original, this, [given]);
    },
  }).respondWith);

  patch.accessor(global.FetchEvent.prototype, 'preloadResponse', (get) => ({
    get preloadResponse() {
      const { request } = /** @type {any} */ (this);
      const promise = apply(get, this, []);
      then(promise, (/** @type {any} */ response) => response && fetches.came(response, request), ignore);
      return promise;
    },
  }));

  patch.method(global.InstallEvent?.prototype, 'addRoutes', (original) => ({
    addRoutes() {
      notice('A service worker has routes, by which requests are answered past its handlers: what comes that way is not in the trace.');
      return apply(original, this, arguments);
    },
  }).addRoutes);
}

/**
 * Our own scripts and logs are no business of the page's worker. Being the first listener, this one hears of them first.
 * @param {any} global
 * @param {string} endpoint
 */
function keepOursApart(global, endpoint) {
  const ours = global.location.origin + slice(endpoint, 0, indexOf(slice(endpoint, 1), '/') + 2);
  global.addEventListener('fetch', (/** @type {any} */ event) => {
    if (indexOf(event.request.url, ours) === 0) {
      event.stopImmediatePropagation();
    }
  });
}

/**
 * @param {any} global
 * @param {import('./patch.js').Patcher} patch
 */
function keepFromAnswering(global, patch) {
  patch.method(global, 'addEventListener', (original) => ({
    addEventListener(/** @type {any} */ type) {
      if ((this ?? global) !== global || '' + type !== 'fetch') {
        apply(original, this ?? global, arguments);
      }
    },
  }).addEventListener);
  /** @type {any} */
  let handler = null;
  patch.accessor(global, 'onfetch', () => ({
    get onfetch() {
      return handler;
    },
    set onfetch(value) {
      handler = typeof value === 'function' ? value : null;
    },
  }));
}

/**
 * Headers as the proxy takes them.
 * @param {any} headers
 */
function pairs(headers) {
  /** @type {string[][]} */
  const list = [];
  headers.forEach((/** @type {string} */ value, /** @type {string} */ name) => {
    if (!OF_THE_WIRE[name]) {
      append(list, [name, value]);
    }
  });
  return list;
}

/**
 * Without its fragment.
 * @param {string} url
 */
function address(url) {
  const hash = indexOf(url, '#');
  return hash < 0 ? url : slice(url, 0, hash);
}

function ignore() {}
