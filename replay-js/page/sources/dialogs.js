/** Dialogs: the answer a person gave is the answer. */
import { apply, forWords } from '../natives.js';

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../record/engine.js').Engine} engine
 * @param {import('../patch.js').Patcher} patch
 */
export function installDialogs(realm, engine, patch) {
  const { global } = realm;
  forWords(['window alert confirm prompt print'], (_window, name) => {
    patch.method(global, name, (original) => ({
      dialog() {
        const given = arguments;
        const asked = given.length > 0 && name !== 'print' ? name + ': ' + given[0] : name;
        const refuse = () => (name === 'confirm' ? false : name === 'prompt' ? null : undefined);
        return engine.answer(asked, () => apply(original, this ?? global, given), refuse);
      },
    }).dialog);
  });
}
