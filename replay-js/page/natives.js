/**
 * The browser's own functions, captured before any script of the page can replace them.
 *
 * Pages patch what they like, before and after each other: `Array.prototype.push`, `JSON`, `Promise`,
 * `Function.prototype.call`. So nothing here is looked up again later: functions are called by way of `uncurry`,
 * arrays are filled and read by index, and maps carry their methods themselves.
 *
 * What is the same in all realms stands here as constants; what belongs to one window is in `captureRealm`.
 */

export const { apply, construct, getPrototypeOf, ownKeys, set: setProperty, setPrototypeOf } = Reflect;
/** For a descriptor that inherits nothing. */
export const { defineProperty: defineAsGiven } = Reflect;
/** It inherits what all objects do: whoever asks it for more than it has of its own takes `getOwnPropertyDescriptor`. */
export const { getOwnPropertyDescriptor: descriptorAsFound } = Reflect;

const { bind, call } = Function.prototype;

/**
 * `uncurry(f)(self, …)` is `f.call(self, …)`, whatever becomes of `Function.prototype.call`.
 * @type {(f: any) => any}
 */
export const uncurry = bind.bind(call);

export const objectKeys = Object.keys;
export const createObject = Object.create;
export const freeze = Object.freeze;
export const isArray = Array.isArray;
export const isFiniteNumber = Number.isFinite;
export const { floor, fround, imul, round, trunc } = Math;
export const parseJson = JSON.parse;
export const quote = JSON.stringify;
export const settledPromise = Promise.resolve();
export const then = uncurry(Promise.prototype.then);
export const functionText = uncurry(Function.prototype.toString);
export const objectTag = uncurry(Object.prototype.toString);
export const charCode = uncurry(String.prototype.charCodeAt);
export const slice = uncurry(String.prototype.slice);
export const indexOf = uncurry(String.prototype.indexOf);
export const split = uncurry(String.prototype.split);
export const toLower = uncurry(String.prototype.toLowerCase);
export const numberText = uncurry(Number.prototype.toString);
export const join = uncurry(Array.prototype.join);
export const splice = uncurry(Array.prototype.splice);
export const text = String;
export const toNumber = Number;
export const base64 = globalThis.btoa;
export const fromBase64 = globalThis.atob;
export const fromCharCode = String.fromCharCode;

/**
 * A descriptor is asked for what it inherits, too: after `Object.prototype.get = …` none would do that has a value.
 * @param {any} object
 * @param {PropertyKey} name
 * @param {PropertyDescriptor} descriptor
 */
export function defineProperty(object, name, descriptor) {
  return defineAsGiven(object, name, alone(descriptor));
}

/**
 * @param {any} object
 * @param {PropertyKey} name
 * @returns {PropertyDescriptor | undefined}
 */
export function getOwnPropertyDescriptor(object, name) {
  const descriptor = descriptorAsFound(object, name);
  return descriptor && alone(descriptor);
}

/** @param {PropertyDescriptor} descriptor */
function alone(descriptor) {
  return /** @type {PropertyDescriptor} */ ({ __proto__: null, ...descriptor });
}

/**
 * A map class whose instances find their methods on themselves and never on a prototype the page can reach.
 * @param {any} Base
 * @param {string[]} names
 * @returns {any}
 */
function withOwnMethods(Base, names) {
  const methods = names.map((name) => ({ value: Base.prototype[name] }));
  return function make() {
    const made = new Base();
    for (let i = 0; i < names.length; i += 1) {
      defineProperty(made, names[i], methods[i]);
    }
    return made;
  };
}

/** @type {<K, V>() => Map<K, V>} */
export const newMap = withOwnMethods(Map, ['get', 'set', 'has', 'delete', 'forEach', 'clear']);
/** @type {<V>() => WeakMap<object, V>} */
export const newWeakMap = withOwnMethods(WeakMap, ['get', 'set', 'has', 'delete']);

/**
 * Appends without `push`. An index past the end cannot be intercepted but by a setter on `Array.prototype`.
 * @template T
 * @param {T[]} list
 * @param {T} value
 */
export function append(list, value) {
  list[list.length] = value;
}

/**
 * The getter of an accessor, wherever on the prototype chain it is, to be called on any object of its kind.
 * @param {any} object
 * @param {string} name
 * @returns {(self: any) => any}
 */
export function getterOf(object, name) {
  const found = holderOf(object, name);
  return found?.descriptor.get ? uncurry(found.descriptor.get) : (self) => self[name];
}

/**
 * Where a property really is: the object on the chain that owns it, with its descriptor.
 * @param {any} object
 * @param {PropertyKey} name
 * @returns {{holder: any, descriptor: PropertyDescriptor} | undefined}
 */
export function holderOf(object, name) {
  for (let holder = object; holder; holder = getPrototypeOf(holder)) {
    const descriptor = getOwnPropertyDescriptor(holder, name);
    if (descriptor) {
      return { holder, descriptor };
    }
  }
  return undefined;
}

/**
 * @param {readonly string[]} table rows of an interface and names, with single spaces between
 * @param {(owner: string, name: string) => void} use
 */
export function forWords(table, use) {
  for (let i = 0; i < table.length; i += 1) {
    const words = split(table[i], ' ');
    for (let k = 1; k < words.length; k += 1) {
      use(words[0], words[k]);
    }
  }
}

/**
 * A table that has these words.
 * @param {string} words with single spaces between
 * @returns {any}
 */
export function setOfWords(words) {
  const set = /** @type {any} */ ({ __proto__: null });
  forWords(['set ' + words], (_set, word) => {
    set[word] = true;
  });
  return set;
}

/**
 * @template {string} Text
 * @typedef {Text extends `${infer First} ${infer Rest}` ? First | WordsOf<Rest> : Text} WordsOf
 */
/**
 * The names in a row of such a table.
 * @template {string} Row
 * @typedef {Row extends `${string} ${infer Names}` ? WordsOf<Names> : never} NamesIn
 */

/** What is taken from a window as it is. */
const VALUES = /** @type {const} */ (['window Promise URL XMLHttpRequest WebSocket FileReader eval CustomEvent']);

/** Methods that are called on a window's objects as they are named, with the interface that has them. */
const WINDOW_METHODS = /** @type {const} */ ([
  'EventTarget addEventListener removeEventListener dispatchEvent',
  'Event composedPath stopImmediatePropagation',
  'Element getAttribute hasAttribute',
  'window fetch setTimeout requestAnimationFrame requestIdleCallback',
]);

/**
 * What belongs to one window: everything a source, the engine or the wire calls on it.
 * @param {any} global
 */
export function captureRealm(global) {
  const { document, Event, Node, performance } = global;
  const currentScript = getterOf(document, 'currentScript');
  const now = uncurry(performance.now);
  const timeOrigin = performance.timeOrigin;

  const { port1, port2 } = new global.MessageChannel();
  const post = uncurry(port2.postMessage);
  /** @type {(() => void)[]} */
  const turns = [];
  port1.onmessage = () => splice(turns, 0, 1)[0]();

  const named = /** @type {Record<NamesIn<typeof VALUES[number] | typeof WINDOW_METHODS[number]>, any>} */ ({});
  forWords(VALUES, (_window, name) => {
    named[/** @type {'URL'} */ (name)] = global[name];
  });
  forWords(WINDOW_METHODS, (owner, name) => {
    const method = (owner === 'window' ? global : global[owner].prototype)[name];
    named[/** @type {'fetch'} */ (name)] = method && uncurry(method);
  });

  return {
    ...named,
    global,
    /** Documents change in a window: `srcdoc` replaces the first blank one. */
    get document() {
      return global.document;
    },
    random: global.Math.random,
    sendBeacon: global.navigator.sendBeacon && uncurry(global.navigator.sendBeacon),
    sendText: uncurry(global.WebSocket.prototype.send),
    closeSocket: uncurry(global.WebSocket.prototype.close),
    currentScript: () => currentScript(global.document),
    /** Milliseconds since the navigation. */
    now: () => now(performance),
    /** Milliseconds since the epoch, in whole microseconds. */
    epoch: () => round((timeOrigin + now(performance)) * 1000) / 1000,
    /**
     * Calls back in a task of its own, after all microtasks of this one.
     * @param {() => void} callback
     */
    nextTurn(callback) {
      append(turns, callback);
      post(port2, null);
    },
    then,
    readyState: getterOf(document, 'readyState'),
    eventPhase: getterOf(Event.prototype, 'eventPhase'),
    eventType: getterOf(Event.prototype, 'type'),
    eventTarget: getterOf(Event.prototype, 'target'),
    currentTarget: getterOf(Event.prototype, 'currentTarget'),
    eventTimeStamp: getterOf(Event.prototype, 'timeStamp'),
    localName: getterOf(global.Element.prototype, 'localName'),
    boundingBox: uncurry(global.Element.prototype.getBoundingClientRect),
    byTagName: uncurry(global.Document.prototype.getElementsByTagName),
    baseUri: getterOf(Node.prototype, 'baseURI'),
  };
}

/** With the path of the frame that it is in, once the sources are in it. @typedef {ReturnType<typeof captureRealm> & {above?: () => string}} Realm */

/** Replacement to original, over all realms that share this script. */
export const originals = newWeakMap();
