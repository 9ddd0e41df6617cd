/**
 * Answers that have a list of their own for each event: random numbers, bytes and times, one after the other.
 */
import { ANSWERS_LOGGED } from '../record/engine.js';

const DRAWN_FROM = ['random', 'bytes', 'date', 'now'];

/** @param {import('./findings.js').Findings} findings */
export function createListedAnswers(findings) {
  return {
    /**
     * The next answer of a list, or undefined with a divergence where the log has no more.
     * @param {import('./events.js').Current} event
     * @param {string} list
     */
    next(event, list) {
      const index = event.counts[list] ?? 0;
      event.counts[list] = index + 1;
      const answers = event.logged?.local[list];
      const had = answers?.length ?? 0;
      if (index < had) {
        return answers[index];
      }
      if (event.logged && index === had && had < ANSWERS_LOGGED) {
        findings.diverged(event.id, 'answers-exhausted', had + ' ' + list, 'more than ' + had);
      }
      return undefined;
    },

    /**
     * @param {number} id of an event that is over
     * @param {any} local
     * @param {any} counts
     */
    unused(id, local, counts) {
      for (let i = 0; i < DRAWN_FROM.length; i += 1) {
        const had = local[DRAWN_FROM[i]]?.length ?? 0;
        const used = counts[DRAWN_FROM[i]] ?? 0;
        if (used < had) {
          findings.diverged(id, 'answers-unused', had + ' ' + DRAWN_FROM[i], used + ' ' + DRAWN_FROM[i]);
        }
      }
    },
  };
}
