/**
 * Answers of a database that wait for their place in the log. A transaction is over when nobody uses it, and what a page does with an answer
 * has to find it open: so while one waits, a question of ours follows another, and the page is told within the answer to one.
 */
import { newPromise } from '../more-natives.js';
import { append, getterOf, splice, uncurry } from '../natives.js';

/** No key that a page would have for itself matters: nobody looks at what is found. */
const SOME_KEY = 0;
/** Its stores come and go, and the database is nobody's until it is over. */
const OF_VERSIONS = 'versionchange';

/** @param {import('./realm.js').ReplayRealm} realm */
export function createTransactions(realm) {
  const { IDBTransaction, IDBObjectStore, IDBRequest } = realm.global;
  const has = IDBTransaction && IDBObjectStore && IDBRequest;
  const transactionOf = has && getterOf(IDBRequest.prototype, 'transaction');
  const namesOf = has && getterOf(IDBTransaction.prototype, 'objectStoreNames');
  const modeOf = has && getterOf(IDBTransaction.prototype, 'mode');
  const storeOf = has && uncurry(IDBTransaction.prototype.objectStore);
  const ask = has && uncurry(IDBObjectStore.prototype.getKey);
  /** @typedef {{transaction: any, store: any, waits: Waiter[], isAsking: boolean}} Open */
  /** @typedef {{tell: (() => void) | null, now: () => void, told: () => void}} Waiter */
  /** @type {Open[]} */
  const open = [];

  /** @param {any} transaction */
  function find(transaction) {
    for (let i = 0; i < open.length; i += 1) {
      if (open[i].transaction === transaction) {
        return open[i];
      }
    }
    return undefined;
  }

  /** @param {Open} one */
  function forget(one) {
    for (let i = 0; i < open.length; i += 1) {
      if (open[i] === one) {
        splice(open, i, 1);
      }
    }
  }

  /** Of those that wait, those that are to be told, within the transaction or after it. @param {Open} one */
  function tell(one) {
    for (let i = 0; i < one.waits.length; i += 1) {
      const { tell: run, told } = one.waits[i];
      if (run) {
        splice(one.waits, i, 1);
        i -= 1;
        run();
        told();
      }
    }
  }

  /** @param {Open} one */
  function keepOpen(one) {
    if (one.waits.length === 0) {
      one.isAsking = false;
      forget(one);
      return;
    }
    try {
      const request = ask(one.store, SOME_KEY);
      one.isAsking = true;
      realm.addEventListener(request, 'success', (/** @type {any} */ event) => {
        realm.stopImmediatePropagation(event);
        tell(one);
        keepOpen(one);
      });
      realm.addEventListener(request, 'error', (/** @type {any} */ event) => {
        // It is taken back, and so are our questions.
        realm.stopImmediatePropagation(event);
        realm.preventDefault(event);
        one.isAsking = false;
        tell(one);
      });
    } catch {
      // It has been ended by the page, which has nothing more to ask within it.
      one.isAsking = false;
      tell(one);
    }
  }

  return {
    /**
     * Keeps a transaction open until an answer has been given.
     * @param {any} request that is answered
     * @param {() => void} now gives it to the page, should nothing go on without
     * @returns {((run: () => void) => Promise<void>) | null} gives it to the page in time, unless it cannot wait
     */
    hold(request, now) {
      const transaction = has && transactionOf(request);
      if (!transaction || modeOf(transaction) === OF_VERSIONS) {
        return null;
      }
      const known = find(transaction);
      const one = known ?? { transaction, store: storeOf(transaction, namesOf(transaction)[0]), waits: [], isAsking: false };
      const waiter = /** @type {Waiter} */ ({ tell: null, now, told: () => {} });
      append(one.waits, waiter);
      if (!known) {
        append(open, one);
        keepOpen(one);
      }
      return (run) =>
        new newPromise((/** @type {() => void} */ told) => {
          waiter.tell = run;
          waiter.told = told;
          if (!one.isAsking) {
            tell(one);
          }
        });
    },

    /** Nothing goes on while these wait: they are given now. */
    letGo() {
      for (let i = 0; i < open.length; i += 1) {
        for (let k = 0; k < open[i].waits.length; k += 1) {
          const waiter = open[i].waits[k];
          waiter.tell ??= waiter.now;
        }
      }
    },
  };
}
