/**
 * What the page is told about the machine and the person at it: not the engine's doing, so a replay says it again. And
 * callbacks that the browser is given for one call.
 */
import { apply, forWords, freeze } from '../natives.js';

/** Interface, and its attributes. */
const ATTRIBUTES = [
  // Whether it is there by now, or a little later, is chance.
  'HTMLImageElement complete',
  'Navigator onLine hardwareConcurrency languages',
  'Document hidden visibilityState',
  'PermissionStatus state',
  'Notification permission',
  'BaseAudioContext state',
  'HTMLMediaElement currentTime',
];

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../record/engine.js').Engine} engine
 * @param {import('../patch.js').Patcher} patch
 */
export function installAnswers({ global }, engine, patch) {
  forWords(ATTRIBUTES, (owner, name) => {
    const make = (/** @type {any} */ get) => ({
      /** @returns {any} */
      get [name]() {
        // Languages come as a list that nobody can change; of what is no list nothing is frozen.
        return freeze(engine.answer(owner + '.' + name, () => apply(get, this, [])));
      },
    });
    if (!patch.accessor(global[owner]?.prototype, name, make)) {
      patch.accessor(global[owner], name, make);
    }
  });
  forWords(['Geolocation getCurrentPosition watchPosition'], (owner, name) => {
    patch.method(global[owner]?.prototype, name, (original) => ({
      ask(/** @type {any} */ success, /** @type {any} */ failure, /** @type {any} */ options) {
        if (typeof success !== 'function') {
          return apply(original, this, arguments);
        }
        const token = engine.register('host', owner);
        let id = 0;
        engine.schedule(
          token,
          (fire) => {
            id = apply(original, this, [
              (/** @type {any} */ position) => fire({ kind: 'host', event: 'position', data: plain(position) }),
              (/** @type {any} */ error) => fire({ kind: 'host', event: 'error', data: plain(error) }),
              options,
            ]);
          },
          ({ event, data }) => (event === 'error' ? failure?.(data) : success(data)),
          () => {},
        );
        return id;
      },
    }).ask);
  });
}

/**
 * Attributes, wherever on the prototype chain they are, as data.
 * @param {any} host
 */
function plain(host) {
  /** @type {any} */
  const data = {};
  for (const name in host) {
    const value = host[name];
    if (typeof value !== 'function') {
      data[name] = typeof value === 'object' && value !== null ? plain(value) : value;
    }
  }
  return data;
}
