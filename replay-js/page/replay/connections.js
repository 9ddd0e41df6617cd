/**
 * Sockets, event sources, workers and channels that are ahead of the log. What they bring waits for its event, also what
 * comes before the page listens: it adds its listener in an event that waits for its own turn. And `readyState` is what the
 * page may know of it.
 */
import { append, apply, construct, newWeakMap, splice } from '../natives.js';
import { messageIn } from '../sources/hosts.js';

const CONSTRUCTORS = ['WebSocket', 'EventSource', 'Worker', 'BroadcastChannel'];
const TYPES = ['open', 'message', 'error', 'close'];

const OPEN = 1;
const CLOSING = 2;

/**
 * Called after the sources: their constructors are wrapped once more.
 * @param {import('../natives.js').Realm} realm
 * @param {import('../patch.js').Patcher} patch
 */
export function installConnections(realm, patch) {
  const { global } = realm;
  /** @type {WeakMap<object, {type: string, event: any, data: any}[]>} what came before the page listened */
  const early = newWeakMap();
  const closing = newWeakMap();
  /** @type {WeakMap<object, import('./engine.js').Entry>} of those that the page listens to */
  const entries = newWeakMap();

  /** @param {any} event */
  function came(event) {
    const target = realm.currentTarget(event);
    const type = realm.eventType(event);
    // Where the page listens, the sources have stopped it.
    if (event.isTrusted) {
      append(early.get(target) ?? [], { type, event, data: messageIn(event, type) });
    }
  }

  for (let i = 0; i < CONSTRUCTORS.length; i += 1) {
    patch.constructor(CONSTRUCTORS[i], (Original) => {
      function Connection() {
        const made = !new.target ? apply(Original, undefined, arguments) : construct(Original, arguments, new.target);
        early.set(made, []);
        for (let k = 0; k < TYPES.length; k += 1) {
          realm.addEventListener(made, TYPES[k], came, false);
        }
        return made;
      }
      return Connection;
    });
  }

  /**
   * @param {any} target
   * @param {string} type
   */
  function waits(target, type) {
    const arrivals = entries.get(target)?.arrivals ?? [];
    for (let i = 0; i < arrivals.length; i += 1) {
      if (arrivals[i].type === type) {
        return true;
      }
    }
    return false;
  }
  const names = ['WebSocket', 'EventSource'];
  for (let i = 0; i < names.length; i += 1) {
    const prototype = global[names[i]]?.prototype;
    patch.accessor(prototype, 'readyState', (get) => ({
      get readyState() {
        if (waits(this, 'open')) {
          return 0;
        }
        return waits(this, 'close') ? (closing.has(this) ? CLOSING : OPEN) : apply(get, this, []);
      },
    }));
    patch.method(prototype, 'close', (original) => ({
      close() {
        closing.set(this, true);
        return apply(original, this, arguments);
      },
    }).close);
  }

  /**
   * The page listens from now on.
   * @param {any} target
   * @param {string} type
   * @param {import('./engine.js').Entry} entry
   */
  return function listened(target, type, entry) {
    entries.set(target, entry);
    const came = early.get(target) ?? [];
    let i = 0;
    while (i < came.length) {
      if (came[i].type === type) {
        append(entry.arrivals, splice(came, i, 1)[0]);
      } else {
        i += 1;
      }
    }
  };
}
