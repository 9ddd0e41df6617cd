/** A worker's tasks that others bring about: timers, frames, and messages from the page and from other workers. */
import { apply, forWords, newMap, newWeakMap, objectTag, uncurry } from '../natives.js';

/**
 * @param {any} global
 * @param {{begins: (name: string, later: () => void, again?: boolean) => boolean, isSet: (name: string, is: boolean) => void, time: (list: string, produce: () => number) => number}} engine
 * @param {import('../patch.js').Patcher} patch
 */
export function installTasks(global, engine, patch) {
  installTimers(global, engine, patch, ['t setTimeout setInterval'], ['t clearTimeout clearInterval'], (callback, given) => {
    apply(callback, global, given);
  });
  installTimers(global, engine, patch, ['f requestAnimationFrame'], ['f cancelAnimationFrame'], (callback, _given, [time]) => {
    apply(callback, undefined, [engine.time('now', () => time)]);
  });
  installMessages(global, engine, patch);
}

/**
 * @param {any} global
 * @param {Parameters<typeof installTasks>[1]} engine
 * @param {import('../patch.js').Patcher} patch
 * @param {string[]} setting see `forWords`
 * @param {string[]} clearing
 * @param {(callback: any, given: any[], told: any) => void} call
 */
function installTimers(global, engine, patch, setting, clearing, call) {
  let count = 0;
  /** @type {Map<any, {number: string, cleared: boolean}>} by number of the browser's */
  const timers = newMap();

  /**
   * @param {any} id
   * @param {{number: string}} timer
   */
  function forget(id, timer) {
    timers.delete(id);
    engine.isSet(timer.number, false);
  }

  forWords(setting, (kind, name) =>
    patch.method(global, name, (original) => ({
      set(/** @type {any} */ callback, /** @type {any} */ delay, /** @type {any[]} */ ...given) {
        if (typeof callback !== 'function') {
          return apply(original, this ?? global, arguments);
        }
        count += 1;
        const number = kind + count;
        const timer = { number, cleared: false };
        const isOver = name !== 'setInterval';
        const id = apply(original, this ?? global, [
          (/** @type {any[]} */ ...told) => {
            const run = () => {
              if (isOver) {
                forget(id, timer);
              }
              if (!timer.cleared) {
                call(callback, given, told);
              }
            };
            if (engine.begins(number, run, !isOver)) {
              run();
            }
          },
          delay,
        ]);
        timers.set(id, timer);
        engine.isSet(number, true);
        return id;
      },
    }).set));

  forWords(clearing, (_kind, name) =>
    patch.method(global, name, (original) => ({
      clear(/** @type {any} */ id) {
        const timer = timers.get(+id);
        if (timer) {
          timer.cleared = true;
          forget(+id, timer);
        }
        return apply(original, this ?? global, arguments);
      },
    }).clear));
}

/**
 * @param {any} global
 * @param {Parameters<typeof installTasks>[1]} engine
 * @param {import('../patch.js').Patcher} patch
 */
function installMessages(global, engine, patch) {
  const { MessageEvent } = global;
  const listen = uncurry(global.addEventListener);
  const dispatch = uncurry(global.dispatchEvent);
  const stop = uncurry(global.Event.prototype.stopImmediatePropagation);
  const heard = newWeakMap();
  let count = 0;
  /** @type {any} what was held, as it is told */
  let again = null;

  /**
   * @param {any} target
   * @param {string} type
   */
  function hear(target, type) {
    const name = type[0] + count;
    count += 1;
    heard.set(target, true);
    const come = (/** @type {any} */ event) => {
      // Who joins is told of by an event that WebKit does not call its own.
      const isOthers = (event.isTrusted || type === 'connect') && event !== again;
      if (isOthers && !engine.begins(name, () => dispatch(target, (again = copyOf(event))))) {
        stop(event);
      }
    };
    listen(target, type, come, true);
  }

  /** @param {any} event */
  function copyOf(event) {
    const { data, origin, lastEventId, source, ports } = event;
    return new MessageEvent(event.type, { __proto__: null, data, origin, lastEventId, source, ports });
  }

  /** @param {any} target who begins to listen, before it does */
  function hearPort(target) {
    const tag = objectTag(target);
    if ((tag === '[object MessagePort]' || tag === '[object BroadcastChannel]') && !heard.has(target)) {
      hear(target, 'message');
    }
  }

  hear(global, 'message');
  hear(global, 'connect');
  patch.method(global.EventTarget.prototype, 'addEventListener', (original) => ({
    listen(/** @type {any} */ type) {
      if (type === 'message') {
        hearPort(this ?? global);
      }
      return apply(original, this ?? global, arguments);
    },
  }).listen);
  forWords(['onmessage MessagePort BroadcastChannel'], (name, owner) =>
    patch.accessor(global[owner]?.prototype, name, (get, set) => ({
      /** @returns {any} */
      get [name]() {
        return apply(get, this, []);
      },
      set [name](/** @type {any} */ handler) {
        hearPort(this);
        apply(set, this, [handler]);
      },
    })));
}
