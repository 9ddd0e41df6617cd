/** Makes databases again, as `databases.js` has read them. */
import { append, apply, defineProperty, indexOf, isArray, slice, splice } from '../natives.js';
import { decodeText, decodeValue } from './decode.js';
import { answerOf, endOf } from './requests.js';
import { inQuotes, reasonOf } from './teller.js';

/**
 * @param {any} global
 * @param {any} database its line
 * @param {any[]} records of it, in their order
 * @param {(note: string) => void} note
 */
export async function restoreDatabase(global, database, records, note) {
  const name = decodeText(global, database.name);
  try {
    await answerOf(global, global.indexedDB.deleteDatabase(name));
    const opening = global.indexedDB.open(name, database.version);
    opening.onupgradeneeded = () => makeStores(global, opening.result, database.stores);
    const made = await answerOf(global, opening);
    if (database.stores.length > 0) {
      await putRecords(global, made, database.stores, records, note);
    }
    made.close();
  } catch (error) {
    note('the database ' + inQuotes(name) + ': ' + reasonOf(error));
  }
}

/**
 * @param {any} global
 * @param {any} made
 * @param {any[]} stores
 */
function makeStores(global, made, stores) {
  for (let i = 0; i < stores.length; i += 1) {
    const { name, path, generates, indexes } = stores[i];
    const store = made.createObjectStore(decodeText(global, name), { keyPath: decodePath(global, path), autoIncrement: generates });
    for (let k = 0; k < indexes.length; k += 1) {
      const { name, path, unique, multiple } = indexes[k];
      store.createIndex(decodeText(global, name), decodePath(global, path), { unique, multiEntry: multiple });
    }
  }
}

/**
 * @param {any} global
 * @param {any} path
 */
function decodePath(global, path) {
  if (!isArray(path)) {
    return path === null ? null : decodeText(global, path);
  }
  /** @type {string[]} */
  const paths = [];
  for (let i = 0; i < path.length; i += 1) {
    append(paths, decodeText(global, path[i]));
  }
  return paths;
}

/**
 * All in one transaction, but for Blobs: WebKit stores none in a session that leaves no traces, and a transaction in which one is to be
 * stored then neither ends nor goes on for others. Where that of all is not carried out, each record has one of its own, so that
 * none is missing but what cannot be stored.
 * @param {any} global
 * @param {any} made
 * @param {any[]} stores
 * @param {any[]} records
 * @param {(note: string) => void} note
 */
async function putRecords(global, made, stores, records, note) {
  /** @type {any} by name, whether records have their keys in them */
  const inline = new global.Map();
  for (let i = 0; i < stores.length; i += 1) {
    inline.set(decodeText(global, stores[i].name), stores[i].path !== null);
  }
  /** @type {any[]} */
  const plain = [];
  /** @type {any[]} */
  const alone = [];
  for (let i = 0; i < records.length; i += 1) {
    const { store, key, value } = records[i];
    const name = decodeText(global, store);
    try {
      let into = plain;
      const given = decodeValue(global, value, () => (into = alone));
      append(into, { name, key: inline.get(name) ? undefined : decodeValue(global, key), value: given });
    } catch (error) {
      note(ofRecord(made, name) + reasonOf(error));
    }
  }
  if (!(await isPut(global, made, plain))) {
    splice(alone, 0, 0, ...plain);
  }
  for (let i = 0; i < alone.length; i += 1) {
    if (!(await isPut(global, made, [alone[i]]))) {
      note(ofRecord(made, alone[i].name) + 'it cannot be stored here');
    }
  }
  const transaction = made.transaction(made.objectStoreNames, 'readwrite');
  for (let i = 0; i < stores.length; i += 1) {
    if (stores[i].next > 1) {
      advance(transaction.objectStore(decodeText(global, stores[i].name)), stores[i].next - 1);
    }
  }
  await endOf(global, transaction);
}

/** @param {any} made @param {string} name */
function ofRecord(made, name) {
  return 'a record of ' + inQuotes(name) + ' in the database ' + inQuotes(made.name) + ': ';
}

/**
 * @param {any} global
 * @param {any} made
 * @param {any[]} records all of them, or none
 * @returns {Promise<boolean>}
 */
async function isPut(global, made, records) {
  const transaction = made.transaction(made.objectStoreNames, 'readwrite');
  const ended = endOf(global, transaction);
  try {
    for (let i = 0; i < records.length; i += 1) {
      const { name, key, value } = records[i];
      const store = transaction.objectStore(name);
      if (key === undefined) {
        store.put(value);
      } else {
        store.put(value, key);
      }
    }
  } catch {
    transaction.abort();
  }
  return await ended;
}

/**
 * A generator goes by the highest key that ever was, also of a record that is gone again.
 * @param {any} store
 * @param {number} last
 */
function advance(store, last) {
  const looking = store.getKey(last);
  looking.onsuccess = () => {
    if (looking.result !== undefined) {
      return;
    }
    const adding = store.keyPath === null ? store.add(0, last) : store.add(withKey(store.keyPath, last));
    // Where an index has it already it is not to be had.
    adding.onerror = (/** @type {any} */ event) => event.preventDefault();
    adding.onsuccess = () => apply(store.delete, store, [last]);
  };
}

/**
 * @param {string} path `a.b`
 * @param {number} key
 * @returns {any}
 */
function withKey(path, key) {
  const dot = indexOf(path, '.');
  const name = dot < 0 ? path : slice(path, 0, dot);
  const value = dot < 0 ? key : withKey(slice(path, dot + 1), key);
  const made = {};
  defineProperty(made, name, { value, enumerable: true });
  return made;
}
