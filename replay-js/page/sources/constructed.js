import { apply, construct, forWords } from '../natives.js';

/**
 * Tells before the browser makes something, with what it is given, which may be changed.
 * @param {string[]} table see `forWords`
 * @param {import('../patch.js').Patcher} patch
 * @param {(name: string, given: any) => void} use
 */
export function onConstruct(table, patch, use) {
  forWords(table, (_new, name) => {
    patch.constructor(name, (Original) => {
      function Constructed() {
        use(name, arguments);
        return !new.target ? apply(Original, undefined, arguments) : construct(Original, arguments, new.target);
      }
      return Constructed;
    });
  });
}
