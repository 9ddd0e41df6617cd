/**
 * Module scripts: while one runs there is no `document.currentScript`. What runs in no event we know of, while modules
 * are still to come, is the next of them in document order. Those that stand in the document itself have run once they have
 * asked for something: nobody is told when.
 */
import { newWeakMap } from './natives.js';

/** @param {import('./natives.js').Realm} realm */
export function createModules(realm) {
  const done = newWeakMap();
  let over = false;

  return {
    /** The module script that is running or will be next, or null. */
    next() {
      const scripts = over ? [] : realm.byTagName(realm.document, 'script');
      const isParsing = realm.readyState(realm.document) === 'loading';
      for (let i = 0; i < scripts.length; i += 1) {
        // Those without `async` wait for the parser.
        if (scripts[i].type === 'module' && (scripts[i].async || !isParsing) && !done.has(scripts[i])) {
          if (!scripts[i].src) {
            done.set(scripts[i], true);
          }
          return scripts[i];
        }
      }
      return null;
    },
    /** @param {any} element whose `load` or `error` has come */
    finished(element) {
      if (element.src) {
        done.set(element, true);
      }
    },
    /** The document is parsed, and its modules have run. */
    allFinished() {
      over = true;
    },
  };
}

/** @typedef {ReturnType<typeof createModules>} Modules */
