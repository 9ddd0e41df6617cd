/** Events of input that are given to the page by script. */
import { newWeakMap } from '../natives.js';
import { isMade, setLoggedValue } from './made.js';

/**
 * @param {{
 *   realm: import('./realm.js').ReplayRealm,
 *   log: import('./log.js').Log,
 *   engine: import('./engine.js').ReplayEngine,
 *   findings: import('./findings.js').Findings,
 *   waiting: import('./waiting.js').Waiting,
 *   targets: import('./targets.js').Targets,
 *   pointer: import('./pointer.js').Pointer,
 *   synthesise: import('./synthetic.js').Synthesise,
 * }} parts
 */
export function createGiving({ realm, log, engine, findings, waiting, targets, pointer, synthesise }) {
  /** Fields into which an input method's text was put by script: browsers may tell of no `change` of these. */
  const composed = newWeakMap();

  return {
    /** @param {import('./log.js').Logged} logged */
    async give(logged) {
      const { target } = targets.find(logged.what.target);
      if (!target) {
        logged.done = true;
        findings.diverged(logged.id, 'target-missing', targets.describe(logged.what.target), 'nothing');
        return;
      }
      const event = synthesise(logged.what, target, pointer.otherOf(logged));
      if (isMade(logged.what)) {
        composed.set(target, true);
      }
      await waiting.turn(() => {
        engine.begin(logged, event);
        setLoggedValue({ realm, log, targets }, logged, target);
        realm.dispatchEvent(target, event);
      });
    },

    /**
     * Whether this is told of a text that was given by script; it is told once.
     * @param {any} what
     */
    isOfGivenText: ({ type, target }) => type === 'change' && composed.delete(targets.find(target).target),
  };
}

/** @typedef {ReturnType<typeof createGiving>} Giving */
