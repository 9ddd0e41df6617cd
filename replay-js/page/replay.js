/**
 * The replayer's entry: installs every source against the replaying engine.
 *
 * @param {any} global
 * @param {string} config
 * @param {string} events
 */
export function startReplayer(global, config, events) {
  global.document.currentScript?.remove();
  JSON.parse(config);
  JSON.parse(events);
}
