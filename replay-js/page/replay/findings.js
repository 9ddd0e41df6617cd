/** Divergences and notes, kept by the event they were found in until somebody asks for that event's outcome. */
import { append, newMap } from '../natives.js';

/**
 * @typedef {{kind: string, expected: string, actual: string, cause?: any, lacks?: string}} Divergence
 * @typedef {{id: number, divergences: Divergence[], notes: string[], complaints: any[]}} Finding
 */

/** @param {(message: any) => void} say for what is found when nobody will ask any more */
export function createFindings(say) {
  /** @type {Map<number, Finding>} */
  const open = newMap();
  /** @type {any} the first exception only this browser had */
  let cause;

  /** @param {number} id */
  function at(id) {
    let finding = open.get(id);
    if (!finding) {
      finding = { id, divergences: [], notes: [], complaints: [] };
      open.set(id, finding);
    }
    return finding;
  }

  return {
    /**
     * @param {number} id
     * @param {string} kind
     * @param {string} expected
     * @param {string} actual
     * @param {string} [lacks] what this browser does not have, of which it would have come
     */
    diverged(id, kind, expected, actual, lacks) {
      append(at(id).divergences, { kind, expected, actual, cause, lacks });
    },
    /**
     * @param {number} id
     * @param {string} note
     */
    note(id, note) {
      append(at(id).notes, note);
    },
    /**
     * @param {number} id
     * @param {any} error that the page has caught, and written to the console
     */
    complained(id, error) {
      append(at(id).complaints, error);
    },
    /** @param {any} error */
    blame(error) {
      cause ??= error;
    },
    /**
     * @param {number} id
     * @returns {Finding}
     */
    take(id) {
      const finding = at(id);
      open.delete(id);
      return finding;
    },
    /** Everything found in events that were not asked about. */
    sayRest() {
      open.forEach(({ id, divergences, notes, complaints }) => {
        for (let i = 0; i < divergences.length; i += 1) {
          say({ divergence: { event: id, ...divergences[i] } });
        }
        for (let i = 0; i < notes.length; i += 1) {
          say({ note: { event: id, text: notes[i] } });
        }
        for (let i = 0; i < complaints.length; i += 1) {
          say({ complaint: { event: id, ...complaints[i] } });
        }
      });
      open.clear();
    },
  };
}

/** @typedef {ReturnType<typeof createFindings>} Findings */
