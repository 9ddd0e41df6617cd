/**
 * `window.event`: what the page is being told. Where the browser tells, the microtasks of a listener run before it is taken back; where we do,
 * they run when all have been told. Frameworks ask there whether somebody steps back, and how urgent something is.
 */
import { apply } from '../natives.js';

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('../natives.js').Realm} own of a window
 * @param {import('../patch.js').Patcher} patch
 */
export function installCurrentEvent(realm, own, patch) {
  /** What brings our own turns, in which the page's callbacks run: nobody else is told by it. @type {any} */
  let turns;
  patch.accessor(own.global, 'event', (get, set) => {
    realm.nextTurn(() => {
      const turn = apply(get, own.global, []);
      turns = turn && realm.eventTarget(turn);
    });
    return {
      get event() {
        const told = apply(get, this, []);
        return told && realm.eventTarget(told) !== turns ? told : realm.dispatched();
      },
      set event(event) {
        apply(set, this, [event]);
      },
    };
  });
}
