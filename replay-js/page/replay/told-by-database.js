/**
 * A database's answer that came before its turn waits within its transaction, and is given there.
 */
import { append } from '../natives.js';
import { takeBrought } from './brought.js';
import { dispatchAgain } from './dispatched-again.js';
import { createTransactions } from './transactions.js';

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {Pick<ReturnType<typeof import('./events.js').createReplayEvents>, 'begin' | 'place'>} events
 */
export function createToldByDatabase(realm, { begin, place }) {
  const transactions = createTransactions(realm);
  return {
    letGo: transactions.letGo,

    /**
     * @param {import('./engine.js').Entry} token
     * @param {any} what
     * @param {any} logged
     * @param {any} event
     */
    waits(token, what, logged, event) {
      const target = realm.eventTarget(event);
      const within = transactions.hold(target, () => {
        takeBrought(token, what.event, what.data);
        begin(logged);
        place.inside(() => dispatchAgain(realm, event, target));
      });
      if (within) {
        append(token.arrivals, { type: what.event, event, data: what.data, within });
      }
      return within !== null;
    },
  };
}
