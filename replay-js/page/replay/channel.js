/** The commands of the replay loop, by way of a WebSocket to the proxy. The table is in `ARCHITECTURE.md`. */
import { parseJson } from '../natives.js';
import { encode } from '../json.js';

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {string} endpoint
 * @param {any} first
 * @param {any} commands by name; each takes the command and answers, or promises an answer
 */
export function openChannel(realm, endpoint, first, commands) {
  const { location } = realm.global;
  const scheme = location.protocol === 'https:' ? 'wss://' : 'ws://';
  const socket = new realm.WebSocket(scheme + location.host + endpoint + '/channel');
  /** @type {Promise<void>} */
  let before = realm.resolved();

  /** @param {any} message */
  function say(message) {
    if (socket.readyState === 1) {
      realm.sendText(socket, encode(message));
    }
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

  realm.addEventListener(socket, 'open', () => say(first));
  realm.addEventListener(socket, 'message', (/** @type {any} */ event) => {
    const command = parseJson(event.data);
    // One after the other, however fast they come.
    before = realm.then(before, () => obey(command));
  });
  return { say };
}
