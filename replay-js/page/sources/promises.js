/**
 * Promises the host makes and settles: one mechanism for `fetch` and for everything in the table.
 *
 * Whatever is missing from the table is where determinism leaks: its completion runs page code outside the log's order.
 */
import { apply, defineProperty, forWords, newWeakMap } from '../natives.js';
import { requestIdentity } from './identity.js';

/** Interface (or namespace, for names that begin in lower case or have no prototype) and its methods. */
const METHODS = [
  'Response arrayBuffer blob bytes formData json text',
  'Request arrayBuffer blob bytes formData json text',
  'Blob arrayBuffer bytes text',
  'FontFaceSet load',
  'FontFace load',
  'HTMLImageElement decode',
  'SVGImageElement decode',
  'HTMLMediaElement play',
  'SubtleCrypto decrypt deriveBits deriveKey digest encrypt exportKey generateKey importKey sign unwrapKey verify wrapKey',
  'WebAssembly compile compileStreaming instantiate instantiateStreaming',
  'Scheduler postTask yield',
  'Clipboard read readText write writeText',
  'Permissions query',
  'Notification requestPermission',
  'CSSStyleSheet replace',
  'ServiceWorkerContainer getRegistration getRegistrations register',
  'MediaDevices enumerateDevices getUserMedia',
  'StorageManager estimate getDirectory persist persisted',
  'CacheStorage delete has keys match open',
  'Cache add addAll delete keys match matchAll put',
  'LockManager query request',
  'CookieStore delete get getAll set',
  'OffscreenCanvas convertToBlob',
  'BaseAudioContext decodeAudioData',
  'AudioContext close resume suspend',
  'OfflineAudioContext startRendering',
  'Element requestFullscreen requestPointerLock',
  'Document exitFullscreen hasStorageAccess requestStorageAccess',
  'Navigator getBattery share',
  'NavigatorUAData getHighEntropyValues',
  'FileSystemFileHandle createWritable getFile',
  'IDBFactory databases',
  'ImageDecoder decode',
];

/** What a person or the machine answered, in plain data: a replay says it again. */
/** @type {any} */
const TOLD = { __proto__: null, 'Clipboard.readText': true, 'Notification.requestPermission': true, 'StorageManager.estimate': true, 'StorageManager.persist': true, 'StorageManager.persisted': true };

/** Attributes that are promises. */
const GETTERS = [
  'FontFaceSet ready',
  'ServiceWorkerContainer ready',
  'FontFace loaded',
  'Animation ready finished',
  'ViewTransition ready finished updateCallbackDone',
];

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../record/engine.js').Engine} engine
 * @param {import('../patch.js').Patcher} patch
 */
export function installPromises(realm, engine, patch) {
  const { global } = realm;
  patch.method(global, 'fetch', (original) => ({
    fetch(/** @type {any} */ input, /** @type {any} */ init) {
      const given = arguments;
      return engine.hold('fetch', fetchIdentity(realm, input, init), () => apply(original, this ?? global, given), init?.signal ?? input?.signal);
    },
  }).fetch);
  // What a call of `import()` promises (`AROUND_IMPORT` in `lib.rs`).
  defineProperty(global, '__xcheck_has_come__', {
    value: function (/** @type {any} */ promise) {
      return engine.hold('promise', 'import', () => promise);
    },
    configurable: true,
  });
  patch.method(global, 'createImageBitmap', (original) => heldMethod(engine, 'createImageBitmap', original));

  forWords(METHODS, (owner, name) => {
    const make = (/** @type {any} */ original) => heldMethod(engine, owner + '.' + name, original);
    if (!patch.method(global[owner]?.prototype, name, make)) {
      patch.method(global[owner], name, make);
    }
  });
  forWords(GETTERS, (owner, name) => {
    patch.accessor(global[owner]?.prototype, name, (get) => heldGetter(engine, owner + '.' + name, name, get));
  });
}

/**
 * @param {import('../record/engine.js').Engine} engine
 * @param {string} api
 * @param {any} original
 */
function heldMethod(engine, api, original) {
  return {
    held() {
      const given = arguments;
      return engine.hold('promise', api, () => apply(original, this, given), this, TOLD[api]);
    },
  }.held;
}

/**
 * The same promise is the same promise each time it is read.
 * @param {import('../record/engine.js').Engine} engine
 * @param {string} api
 * @param {string} name
 * @param {any} get
 */
function heldGetter(engine, api, name, get) {
  const known = newWeakMap();
  return {
    get [name]() {
      const native = apply(get, this, []);
      let held = known.get(native);
      if (!held) {
        held = engine.hold('promise', api, () => native, this);
        known.set(native, held);
      }
      return held;
    },
  };
}

/**
 * @param {import('../natives.js').Realm} realm
 * @param {any} input
 * @param {any} init
 */
function fetchIdentity(realm, input, init) {
  const isRequest = typeof input === 'object' && input !== null && typeof input.url === 'string';
  const method = init?.method ?? (isRequest ? input.method : 'GET');
  return requestIdentity(realm, '' + method, isRequest ? input.url : input, init?.body);
}
