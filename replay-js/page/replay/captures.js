/**
 * Elements that have taken the pointer for themselves: one engine tells them when the pointer moves next, another before that, and the
 * log has it where the recording's browser did. They are told there, once they have it; what comes by itself is swallowed.
 */
const GOT_POINTER = 'gotpointercapture';

/** @param {import('./targets.js').Targets} targets */
export function createCaptures(targets) {
  let id = -1;
  let isGiven = false;

  return {
    /**
     * @param {any} event
     * @param {string} type
     */
    isGivenAlready(event, type) {
      if (type === 'pointerdown') {
        id = event.pointerId;
        isGiven = false;
      }
      return type === GOT_POINTER && isGiven;
    },

    /**
     * Whether it is to be told, and has what it is to be told of.
     * @param {any} what
     */
    has(what) {
      try {
        return what.type === GOT_POINTER && targets.find(what.target).target.hasPointerCapture(id);
      } catch {
        return false;
      }
    },

    give() {
      isGiven = true;
    },
  };
}
