/** Reads what stands in IndexedDB: databases with their stores and indexes, and every record. Nothing is changed by it. */
import { append, isArray } from '../natives.js';
import { encodeText, encodeValue, shown, Unkeepable } from './encode.js';
import { answerOf, endOf } from './requests.js';
import { inQuotes, reasonOf, TOO_MUCH, TooMuch } from './teller.js';

/** Records that are asked for at once. */
const BATCH = 64;

/**
 * @param {any} global
 * @param {ReturnType<import('./teller.js').createTeller>} teller
 */
export async function keepDatabases(global, teller) {
  const factory = global.indexedDB;
  if (!factory.databases) {
    teller.miss('IndexedDB', 'this browser does not say which databases there are');
    return;
  }
  const found = await factory.databases();
  for (let i = 0; i < found.length; i += 1) {
    try {
      await keepDatabase(global, teller, found[i].name);
    } catch (error) {
      if (!(error instanceof TooMuch)) {
        teller.miss('The database ' + inQuotes(found[i].name), reasonOf(error));
        continue;
      }
      for (let next = i + 1; next < found.length; next += 1) {
        teller.miss('The database ' + inQuotes(found[next].name), TOO_MUCH);
      }
      throw error;
    }
  }
}

/**
 * @param {any} global
 * @param {ReturnType<import('./teller.js').createTeller>} teller
 * @param {string} name
 */
async function keepDatabase(global, teller, name) {
  const opening = global.indexedDB.open(name);
  // It is gone since it was named: none is made.
  opening.onupgradeneeded = () => opening.transaction.abort();
  const database = await answerOf(global, opening);
  try {
    const names = database.objectStoreNames;
    /** @type {any[]} */
    const stores = [];
    for (let i = 0; i < names.length; i += 1) {
      append(stores, await describe(global, database, names[i]));
    }
    await teller.tell({ database: { name: encodeText(global, name), version: database.version, stores } });
    for (let i = 0; i < names.length; i += 1) {
      await keepRecords(global, teller, database, names[i]);
    }
  } finally {
    database.close();
  }
}

/**
 * @param {any} global
 * @param {any} database
 * @param {string} name
 */
async function describe(global, database, name) {
  const store = database.transaction(name, 'readonly').objectStore(name);
  /** @type {any[]} */
  const indexes = [];
  for (let i = 0; i < store.indexNames.length; i += 1) {
    const index = store.index(store.indexNames[i]);
    append(indexes, {
      name: encodeText(global, index.name),
      path: encodePath(global, index.keyPath),
      unique: index.unique,
      multiple: index.multiEntry,
    });
  }
  return {
    name: encodeText(global, name),
    path: encodePath(global, store.keyPath),
    generates: store.autoIncrement,
    next: store.autoIncrement ? await nextKey(global, database, name) : undefined,
    indexes,
  };
}

/**
 * @param {any} global
 * @param {any} path
 */
function encodePath(global, path) {
  if (path === null || typeof path === 'string') {
    return path === null ? null : encodeText(global, path);
  }
  /** @type {any[]} */
  const paths = [];
  for (let i = 0; i < path.length; i += 1) {
    append(paths, encodeText(global, path[i]));
  }
  return paths;
}

/**
 * The key that a record without one would get: asked for in a transaction that is taken back, the generator with it.
 * @param {any} global
 * @param {any} database
 * @param {string} name
 * @returns {Promise<number | undefined>}
 */
async function nextKey(global, database, name) {
  const transaction = database.transaction(name, 'readwrite');
  const ended = endOf(global, transaction);
  /** @type {number | undefined} */
  let next;
  const adding = transaction.objectStore(name).add({});
  adding.onsuccess = () => {
    next = adding.result;
    transaction.abort();
  };
  await ended;
  return next;
}

/**
 * Each batch has a transaction of its own: one does not outlive the reading of a Blob.
 * @param {any} global
 * @param {ReturnType<import('./teller.js').createTeller>} teller
 * @param {any} database
 * @param {string} name
 */
async function keepRecords(global, teller, database, name) {
  const open = () => database.transaction(name, 'readonly').objectStore(name);
  /** @type {any} */
  let range = null;
  for (;;) {
    const store = open();
    const keys = await answerOf(global, store.getAllKeys(range, BATCH));
    /** @type {any} */
    let values = null;
    try {
      values = await answerOf(global, open().getAll(range, BATCH));
    } catch {
      // One of them cannot be read, or they are too much at once.
    }
    for (let i = 0; i < keys.length; i += 1) {
      try {
        const value = values ? values[i] : await answerOf(global, open().get(keys[i]));
        await teller.tell({
          record: {
            store: encodeText(global, name),
            key: await encodeValue(global, keys[i], teller.makeRoom),
            value: await encodeValue(global, value, teller.makeRoom),
          },
        });
      } catch (error) {
        const what = 'The record ' + keyText(keys[i]) + ' of ' + inQuotes(name) + ' in the database ' + inQuotes(database.name);
        if (error instanceof TooMuch) {
          teller.miss(what + ', and what follows it,', TOO_MUCH);
          throw error;
        }
        teller.miss(what, error instanceof Unkeepable ? 'it holds what cannot be read: ' + error.what : reasonOf(error));
      }
    }
    if (keys.length < BATCH) {
      return;
    }
    range = global.IDBKeyRange.lowerBound(keys[keys.length - 1], true);
  }
}

/**
 * @param {any} key
 * @returns {string}
 */
function keyText(key) {
  if (isArray(key)) {
    return 'of several parts';
  }
  return typeof key === 'string' ? inQuotes(key) : shown('' + key);
}
