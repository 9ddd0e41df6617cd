/** What pages can use that is seen but neither recorded nor replayed: said in the trace, never passed over. */
import { apply, construct } from '../natives.js';
import { forWords } from './answers.js';

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
  forWords(UNSUPPORTED_CONSTRUCTORS, (_new, name) => {
    patch.constructor(name, (Original) => {
      function Unsupported() {
        engine.notice('unsupported', name);
        return new.target === undefined ? apply(Original, undefined, arguments) : construct(Original, arguments, new.target);
      }
      return Unsupported;
    });
  });
}
