/** What pages can use that is seen but neither recorded nor replayed: said in the trace, never passed over. */
import { apply, forWords } from '../natives.js';
import { onConstruct } from './constructed.js';

const UNSUPPORTED_METHODS = ['Navigator requestMIDIAccess', 'Bluetooth requestDevice', 'USB requestDevice'];

const UNSUPPORTED_CONSTRUCTORS = ['new RTCPeerConnection WebTransport MediaRecorder'];

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../record/engine.js').Engine} engine
 * @param {import('../patch.js').Patcher} patch
 */
export function installUnsupported(realm, engine, patch) {
  const { global } = realm;
  forWords(UNSUPPORTED_METHODS, (owner, name) => {
    patch.method(global[owner]?.prototype, name, (original) => ({
      unsupported() {
        engine.notice('unsupported', owner + '.' + name);
        return apply(original, this, arguments);
      },
    }).unsupported);
  });
  onConstruct(UNSUPPORTED_CONSTRUCTORS, patch, (name) => engine.notice('unsupported', name));
}
