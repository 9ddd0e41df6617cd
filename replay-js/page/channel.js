/** Commands from outside, by way of a WebSocket to the proxy. The tables are in `ARCHITECTURE.md`. */
import { append, parseJson, splice } from './natives.js';
import { encode } from './json.js';

/** One for each navigation that was begun and not ended; a proxy that is gone is not asked for ever. */
const MOST_CONNECTIONS = 8;

/**
 * @param {import('./replay/realm.js').ReplayRealm} realm
 * @param {string} endpoint
 * @param {any} first
 * @param {any} commands by name; each takes the command and answers, or promises an answer
 */
export function openChannel(realm, endpoint, first, commands) {
  const { location } = realm.global;
  const scheme = location.protocol === 'https:' ? 'wss://' : 'ws://';
  /** @type {any} */
  let socket = null;
  let connections = 0;
  // What was heard on a connection that broke is sent again on the next.
  let heard = 0;
  /** @type {string[]} */
  const unsent = [];
  /** @type {Promise<void>} */
  /** @type {any[]} */
  const waiting = [];
  let obeying = false;

  /** @param {any} message */
  function say(message) {
    const text = encode(message);
    if (socket.readyState === 1) {
      realm.sendText(socket, text);
    } else {
      append(unsent, text);
    }
  }

  /** Firefox closes a document's sockets when a navigation begins, and the document goes on until it is replaced. */
  function connect() {
    connections += 1;
    socket = new realm.WebSocket(scheme + location.host + endpoint + '/channel');
    realm.addEventListener(socket, 'open', opened);
    realm.addEventListener(socket, 'message', (/** @type {any} */ event) => {
      const command = parseJson(event.data);
      if (command.n <= heard) {
        return;
      }
      heard = command.n;
      append(waiting, command);
      void obeyAll();
    });
    realm.addEventListener(socket, 'close', () => {
      if (connections < MOST_CONNECTIONS) {
        connect();
      }
    });
  }

  function opened() {
    realm.sendText(socket, encode(first));
    const texts = splice(unsent, 0, unsent.length);
    for (let i = 0; i < texts.length; i += 1) {
      realm.sendText(socket, texts[i]);
    }
  }

  /**
   * One after the other, however fast they come. Awaited rather than chained: what a reaction returns is asked for its
   * `then`, and that may be the page's.
   */
  async function obeyAll() {
    if (obeying) {
      return;
    }
    obeying = true;
    while (waiting.length > 0) {
      await obey(splice(waiting, 0, 1)[0]);
    }
    obeying = false;
  }

  /** @param {any} command */
  async function obey(command) {
    try {
      const run = commands[command.do];
      if (!run) {
        throw new TypeError('no such command: ' + command.do);
      }
      say({ n: command.n, ok: (await run(command)) ?? null });
    } catch (error) {
      say({ n: command.n, error: '' + /** @type {any} */ (error)?.stack });
    }
  }

  connect();
  return { say };
}

/**
 * By a beacon, because the channel may be cut off before the document goes. To be called before anything else listens:
 * held events are stopped.
 * @param {import('./replay/realm.js').ReplayRealm} realm
 * @param {string} endpoint
 */
export function sayGoodbyeAtTheEnd(realm, endpoint) {
  const { global } = realm;
  const goodbye = (/** @type {any} */ event) => {
    // Those that the log has come again by script.
    if (event.isTrusted) {
      realm.sendBeacon?.(global.navigator, endpoint + '/bye');
    }
  };
  realm.addEventListener(global, 'pagehide', goodbye, true);
}
