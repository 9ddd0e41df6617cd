/**
 * What a library caught and throws again in a timer, so that the browser tells of it: `setTimeout(function () { throw error; })`,
 * as jQuery does for all that a page's `ready` throws. Where the recording has no such timer, none is run: it is asked here
 * what it would throw, which is all it does.
 */
import { charCode, indexOf, slice } from '../natives.js';
import { messageOf, stackOf } from '../sources/errors.js';

const SPACE = 32;

/** @param {string} source */
export function onlyThrows(source) {
  const body = indexOf(source, '{') + 1;
  let at = body;
  while (at < source.length && charCode(source, at) <= SPACE) {
    at += 1;
  }
  const rest = slice(source, at);
  // One statement, however short it was made, that calls nothing.
  const end = indexOf(rest, ';') < 0 ? indexOf(rest, '}') : indexOf(rest, ';') + 1;
  const isPlain = indexOf(rest, '{') < 0 && indexOf(rest, '(') < 0;
  return body > 0 && indexOf(rest, 'throw') === 0 && isPlain && isClosing(slice(rest, end));
}

/** @param {string} text */
function isClosing(text) {
  let at = 0;
  while (at < text.length && charCode(text, at) <= SPACE) {
    at += 1;
  }
  return text[at] === '}' && at === text.length - 1;
}

/** @param {import('./findings.js').Findings} findings */
export function createRethrown(findings) {
  /** @type {any} */
  const throwing = { __proto__: null };
  return {
    /**
     * @param {string} hash
     * @param {string} source
     */
    learn(hash, source) {
      throwing[hash] = onlyThrows(source);
    },
    /**
     * @param {number} id where it is reported
     * @param {any[]} logged timers that the recording has there
     * @param {import('./engine.js').Entry[]} timers that are there now
     * @returns {boolean} whether one would throw
     */
    tell(id, logged, timers) {
      let told = false;
      for (let i = 0; i < timers.length; i += 1) {
        const { identity, run, live } = timers[i];
        if (throwing[identity.callback] && live && run && !isAmong(logged, identity.callback)) {
          timers[i].taken = true;
          try {
            run(undefined);
          } catch (error) {
            const message = messageOf(error);
            findings.blame({ message, source: '', line: 0, column: 0, stack: stackOf(error) ?? '', via: 'error' });
            findings.diverged(id, 'exception-only-here', 'no exception', message);
            told = true;
          }
        }
      }
      return told;
    },
  };
}

/**
 * @param {any[]} timers
 * @param {string} callback
 */
function isAmong(timers, callback) {
  for (let i = 0; i < timers.length; i += 1) {
    if (timers[i].callback === callback) {
      return true;
    }
  }
  return false;
}
