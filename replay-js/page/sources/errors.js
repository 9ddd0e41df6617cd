/** Exceptions nobody caught, rejections nobody handled, and what the page itself writes to `console.error`. */
import { apply, objectTag, slice, text } from '../natives.js';

/**
 * @param {import('../natives.js').Realm} realm
 * @param {Omit<import('../record/engine.js').Engine, 'error'> & {error(error: any, event?: any, said?: ArrayLike<any>): void}} engine
 * @param {import('../patch.js').Patcher} patch
 * @param {import('../watch.js').Watch} watch
 */
export function installErrors(realm, engine, patch, watch) {
  const { global } = realm;

  watch(global, 'error', (event) => {
    if (event.isTrusted && realm.eventTarget(event) === global) {
      const { message, filename, lineno, colno, error } = event;
      engine.error({ message: text(message), source: filename || undefined, line: lineno || undefined, column: colno || undefined, stack: stackOf(error), via: 'error' }, event);
    }
  });
  watch(global, 'unhandledrejection', (event) => {
    // WebKit trusts none of these, whoever dispatches them.
    if (event.isTrusted || !engine.nested()) {
      engine.error({ message: messageOf(event.reason), stack: stackOf(event.reason), via: 'rejection' }, event);
    }
  });
  patch.method(global.console, 'error', (original) => ({
    error() {
      // The replayer looks at all that was said.
      engine.error({ message: messageOf(arguments[0]), stack: stackOf(arguments[0]), via: 'console' }, undefined, arguments);
      return apply(original, this, arguments);
    },
  }).error);
}

/** @param {any} error */
export function stackOf(error) {
  const stack = isError(error) && error.stack;
  return typeof stack === 'string' ? slice(stack, 0, 2000) : undefined;
}

/** @param {any} reason */
export function messageOf(reason) {
  if (isError(reason)) {
    return slice(reason.name + ': ' + reason.message, 0, 400);
  }
  // An object's own toString is the page's code, and is not run for a log.
  return typeof reason === 'object' || typeof reason === 'function' ? objectTag(reason) : slice(text(reason), 0, 400);
}

/** @param {any} value */
function isError(value) {
  const tag = objectTag(value);
  return tag === '[object Error]' || tag === '[object DOMException]';
}
