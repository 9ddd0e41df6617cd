/** Numbers by which the page cancels what it asked for: of our own, from 1, so that they do not depend on who else asks the browser. */
import { newMap } from '../natives.js';

export function createHandles() {
  const cancels = newMap();
  let last = 0;

  return {
    /** @param {(id: number) => () => void} begin returns what cancels it */
    add(begin) {
      last += 1;
      const id = last;
      cancels.set(id, begin(id));
      return id;
    },
    /** @param {number} id */
    over(id) {
      cancels.delete(id);
    },
    /** @param {any} id as the page gave it */
    cancel(id) {
      cancels.get(+id)?.();
      cancels.delete(+id);
    },
  };
}
