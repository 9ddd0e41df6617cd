/**
 * Brings what was found to the proxy, in lines, piece by piece: each is confirmed before the next one goes, so that little is
 * held here. By a WebSocket, because the browser asks an origin for six things at once, and these may all be scripts that wait
 * for what is told here.
 */
import { quote, uncurry } from '../natives.js';
import { encode } from '../json.js';
import { shown } from './encode.js';

const PIECE = 256 * 1024;
/** What could not be kept is told by name; of more than these, how many there are. */
const MOST_NAMED = 20;

export const TOO_MUCH = 'there is more than is kept of an origin';

/** There is more than is kept of an origin. */
export class TooMuch {}

/**
 * @param {any} global
 * @param {string} endpoint
 * @param {number} limit bytes
 */
export function createTeller(global, endpoint, limit) {
  const { location } = global;
  const send = uncurry(global.WebSocket.prototype.send);
  const socket = new global.WebSocket((location.protocol === 'https:' ? 'wss://' : 'ws://') + location.host + endpoint);
  let piece = '';
  let told = 0;
  let unnamed = 0;
  let named = 0;
  let confirmed = heard('onopen');

  /** @param {'onopen' | 'onmessage'} what */
  function heard(what) {
    const promise = new global.Promise((/** @type {any} */ resolve, /** @type {any} */ reject) => {
      socket[what] = resolve;
      socket.onclose = reject;
    });
    // Whether or not somebody awaits it: the page must not hear of a rejection.
    promise.catch(() => {});
    return promise;
  }

  async function flush() {
    await confirmed;
    confirmed = heard('onmessage');
    send(socket, piece);
    piece = '';
  }

  /** @param {any} line */
  function add(line) {
    piece += encode(line) + '\n';
  }

  /** @param {number} bytes */
  function makeRoom(bytes) {
    if (told + bytes > limit) {
      throw new TooMuch();
    }
  }

  return {
    makeRoom,
    /** @param {any} line */
    async tell(line) {
      const text = encode(line);
      makeRoom(text.length + 1);
      told += text.length + 1;
      piece += text + '\n';
      if (piece.length > PIECE) {
        await flush();
      }
    },
    /**
     * @param {string} what
     * @param {string} why
     * @param {string} [url] that stands in it
     */
    miss(what, why, url) {
      if (named < MOST_NAMED) {
        named += 1;
        add({ missing: { what, why, url } });
      } else {
        unnamed += 1;
      }
    },
    /** @param {boolean} readable the origin has a storage here */
    async end(readable) {
      if (unnamed > 0) {
        add({ missing: { what: unnamed + ' more records of IndexedDB and Cache', why: 'for such reasons' } });
      }
      add({ end: readable });
      await flush();
      await confirmed;
      socket.close();
    },
  };
}

/**
 * @param {any} name
 */
export function inQuotes(name) {
  return quote(shown('' + name));
}

/** @param {any} error */
export function reasonOf(error) {
  return '' + (error?.message || error?.name || error);
}
