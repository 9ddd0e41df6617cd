/** What pages can use that is seen but neither recorded nor replayed: said in the trace, never passed over. */
import { apply, construct } from '../natives.js';

const UNSUPPORTED_METHODS = [
  ['Navigator', 'requestMIDIAccess', 'Web MIDI'],
  ['Bluetooth', 'requestDevice', 'Web Bluetooth'],
  ['USB', 'requestDevice', 'Web USB'],
  ['Document', 'startViewTransition', 'A view transition (when it calls back)'],
];

const UNSUPPORTED_CONSTRUCTORS = [
  ['RTCPeerConnection', 'WebRTC'],
  ['WebTransport', 'WebTransport'],
  ['MediaRecorder', 'MediaRecorder'],
];

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../record/engine.js').Engine} engine
 * @param {import('../patch.js').Patcher} patch
 */
export function installUnsupported(realm, engine, patch) {
  const { global } = realm;
  for (let i = 0; i < UNSUPPORTED_METHODS.length; i += 1) {
    const [owner, name, what] = UNSUPPORTED_METHODS[i];
    patch.method(global[owner]?.prototype, name, (original) => ({
      unsupported() {
        engine.notice('unsupported', what);
        return apply(original, this, arguments);
      },
    }).unsupported);
  }
  for (let i = 0; i < UNSUPPORTED_CONSTRUCTORS.length; i += 1) {
    const [name, what] = UNSUPPORTED_CONSTRUCTORS[i];
    patch.constructor(name, (Original) => {
      function Unsupported() {
        engine.notice('unsupported', what);
        return new.target === undefined ? apply(Original, undefined, arguments) : construct(Original, arguments, new.target);
      }
      return Unsupported;
    });
  }
}
