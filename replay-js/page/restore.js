/**
 * Puts back what stood in IndexedDB and Cache when the session was recorded. It runs before the replayer, and the proxy holds
 * that one back until all is there.
 */
import { parseJson, uncurry } from './natives.js';
import { encode } from './json.js';
import { restoreContents } from './kept/restore.js';

/**
 * @param {any} global
 * @param {string} configText
 * @param {string} lines
 */
export function startRestorer(global, configText, lines) {
  const { location, WebSocket } = global;
  const { endpoint } = parseJson(configText);
  global.document.currentScript?.remove();
  const send = uncurry(WebSocket.prototype.send);
  // Opened at once: the proxy knows by it that somebody is at it.
  const socket = new WebSocket((location.protocol === 'https:' ? 'wss://' : 'ws://') + location.host + endpoint);
  const opened = new global.Promise((/** @type {any} */ resolve) => (socket.onopen = resolve));
  const restored = restoreContents(global, lines).catch((error) => ['all of it: ' + error]);
  restored.then(async (notes) => {
    await opened;
    send(socket, encode({ restored: notes }));
    socket.onmessage = () => socket.close();
  });
}
