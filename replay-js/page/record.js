/**
 * The recorder's entry: installs every source against the recording engine.
 *
 * @param {any} global
 * @param {string} config
 */
export function startRecorder(global, config) {
  global.document.currentScript?.remove();
  JSON.parse(config);
}
