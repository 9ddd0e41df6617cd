/**
 * `XMLHttpRequest`. The object stays the browser's own: we listen first, and begin an event with each of its events.
 * A synchronous request is part of the event that makes it.
 */
import { apply, newWeakMap } from '../natives.js';
import { requestIdentity } from './identity.js';

const EVENTS = ['readystatechange', 'loadstart', 'progress', 'load', 'error', 'abort', 'timeout', 'loadend'];

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../record/engine.js').Engine} engine
 * @param {import('../patch.js').Patcher} patch
 */
export function installXhr(realm, engine, patch) {
  const { prototype } = realm.XMLHttpRequest;
  /** @type {WeakMap<object, {method: string, url: any, token: any, sync: boolean}>} */
  const requests = newWeakMap();

  /** @type {(xhr: any, token: any) => void} */
  let sent = () => {};

  /** @param {any} xhr */
  function watch(xhr) {
    let request = requests.get(xhr);
    if (!request) {
      request = { method: '', url: '', token: null, sync: false };
      requests.set(xhr, request);
      for (let i = 0; i < EVENTS.length; i += 1) {
        realm.addEventListener(xhr, EVENTS[i], onEvent, true);
      }
    }
    return request;
  }

  /** @param {any} event */
  function onEvent(event) {
    const xhr = realm.eventTarget(event);
    const request = requests.get(xhr);
    if (request?.token && !request.sync && event.isTrusted) {
      const type = realm.eventType(event);
      engine.happened(request.token, describe(xhr, event, type), event);
    }
  }

  patch.method(prototype, 'open', (original) => ({
    open(/** @type {any} */ method, /** @type {any} */ url, /** @type {any} */ async) {
      const request = watch(this);
      request.method = '' + method;
      request.url = url;
      request.sync = arguments.length > 2 && !async;
      request.token = null;
      return apply(original, this, arguments);
    },
  }).open);

  patch.method(prototype, 'send', (original) => ({
    send(/** @type {any} */ body) {
      const request = watch(this);
      request.token = engine.register('xhr', requestIdentity(realm, request.method, request.url, body));
      const given = arguments;
      const result = engine.inside(() => apply(original, this, given));
      if (!request.sync) {
        sent(this, request.token);
      }
      return result;
    },
  }).send);

  patch.method(prototype, 'abort', (original) => ({
    abort() {
      return engine.inside(() => apply(original, this, []));
    },
  }).abort);

  return {
    watch,
    /** @param {(xhr: any, token: any) => void} callback called as each request is sent that the page waits for by events */
    onSent(callback) {
      sent = callback;
    },
  };
}

/**
 * @param {any} xhr
 * @param {any} event
 * @param {string} type
 */
function describe(xhr, event, type) {
  const state = xhr.readyState;
  const asText = xhr.responseType === '' || xhr.responseType === 'text';
  let progress;
  if (event.loaded !== undefined) {
    progress = [event.loaded, event.total];
  } else if (state === 3 && asText) {
    // How much of the text there was, for pages that read it as it comes.
    progress = [xhr.responseText.length, 0];
  }
  return { kind: 'xhr', event: type, state, progress, status: xhr.status || undefined };
}
