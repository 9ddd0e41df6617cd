/**
 * What is done by other means than keys and pointer: text that is put into a field, which the browser's own input does where it can,
 * and the focus.
 */
import { isKnown } from './synthetic.js';

/** These come before the text they tell of. */
const HERALDS = { __proto__: null, beforeinput: true, textInput: true };

/**
 * @param {{
 *   realm: import('./realm.js').ReplayRealm,
 *   log: import('./log.js').Log,
 *   engine: import('./engine.js').ReplayEngine,
 *   findings: import('./findings.js').Findings,
 *   waiting: import('./waiting.js').Waiting,
 *   targets: import('./targets.js').Targets,
 *   away: import('./away.js').Away,
 *   announced: () => import('./log.js').Logged[],
 *   give: (logged: import('./log.js').Logged) => Promise<void>,
 * }} parts
 */
export function createEntering({ realm, log, engine, findings, waiting, targets, away, announced, give }) {
  /** What has been given by script, should an engine tell of it as well. @type {any} */
  let heralded = { __proto__: null };

  /**
   * What the browser says before it puts text into a field, it does not say to a script.
   * @param {any} field
   */
  async function herald(field) {
    const coming = announced();
    for (let i = 0; i < coming.length; i += 1) {
      const { done, what } = coming[i];
      if (!done && HERALDS[/** @type {'beforeinput'} */ (what.type)] && isKnown(realm.global, what.type) && targets.is(what.target, field)) {
        heralded[what.type] = true;
        await give(coming[i]);
      }
    }
  }

  /**
   * @param {import('./log.js').Logged} logged
   * @param {any} target
   */
  function putFocus(logged, target) {
    realm.focus(target);
    if (!logged.done && realm.hasFocus(target)) {
      // It was there already.
      engine.begin(logged);
    }
  }

  return {
    /** @param {string} type */
    isHeralded: (type) => heralded[type] === true,

    /**
     * Text that the browser's own input may put into a field, which is what a person does: with a script's, Chromium asks for no
     * `minlength`. Nothing where that is not to be.
     * @param {number} id
     */
    async entry(id) {
      const { what } = /** @type {import('./log.js').Logged} */ (log.byId(id));
      const { target } = targets.find(what.target);
      let text = '';
      if (target && realm.takesText(target)) {
        await waiting.turn(() => {
          text = realm.selectReplaced(target, what.data ?? {});
        });
      }
      return { text };
    },

    /**
     * The announced focus, or text put into a field.
     * @param {number} id
     */
    async insert(id) {
      const logged = /** @type {import('./log.js').Logged} */ (log.byId(id));
      if (logged.done) {
        return;
      }
      const { target } = targets.find(logged.what.target);
      if (!target) {
        // The aim has said so.
        logged.done = true;
        return;
      }
      if (logged.what.type === 'focus' && away.owes(target) && realm.hasFocus(target)) {
        await give(logged);
        return;
      }
      if (logged.what.type === 'focus') {
        await waiting.turn(() => putFocus(logged, target));
        return;
      }
      await herald(target);
      await waiting.turn(() => {
        realm.insertText(target, logged.what.data ?? {});
      });
      heralded = { __proto__: null };
      if (!logged.done) {
        findings.note(id, 'dispatched by script: the browser would not insert the text');
        await give(logged);
      }
    },
  };
}
