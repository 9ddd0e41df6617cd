// What an earlier session leaves, in a document that no script of ours is in. The script's value is a promise.
(async () => {
  // WebKit stores none in a session that leaves no traces.
  const BLOBS = true;
  const answer = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const ended = (transaction) => new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
  const open = (name, version, upgrade) => {
    const request = indexedDB.open(name, version);
    request.onupgradeneeded = () => upgrade(request.result);
    return answer(request);
  };

  const shop = await open('shop', 7, (database) => {
    const users = database.createObjectStore('users', { keyPath: 'id', autoIncrement: true });
    users.createIndex('by mail', 'mail', { unique: true });
    users.createIndex('by tag', 'tags', { multiEntry: true });
    users.createIndex('by place', ['at.city', 'at.street']);
    database.createObjectStore('settings');
    database.createObjectStore('numbered', { autoIncrement: true });
    database.createObjectStore('empty');
    database.createObjectStore('nested', { keyPath: 'a.b' });
  });
  // Not a date by itself: WebKit makes two of one.
  const shared = { at: new Date(86_400_000) };
  const value = {
    nothing: undefined, none: null, yes: true, numbers: [0, -0, NaN, Infinity, 1.5], big: 2n ** 80n,
    text: 'é😀\u2028', half: '\ud83d', date: new Date(5), once: shared, again: [shared, shared], pattern: /a+/giu,
    boxed: [Object(1), Object('x'), Object(false)], bytes: new Uint8Array([0, 1, 254, 255]).subarray(1),
    floats: new Float64Array([0.1, -0]), view: new DataView(new ArrayBuffer(3), 1), map: new Map([['k', new Set([1])]]),
    error: new RangeError('far'), $: 'dollar', sparse: [1, , 3], ['__pro' + 'to__']: 1,
    image: new ImageData(new Uint8ClampedArray([1, 2, 3, 4]), 1, 1),
  };
  value.self = value;
  const transaction = shop.transaction(shop.objectStoreNames, 'readwrite');
  const users = transaction.objectStore('users');
  for (let i = 0; i < 200; i += 1) {
    users.add({ mail: 'user' + i + '@a.test', tags: ['t' + (i % 3), 'all'], at: { city: 'c' + (i % 7), street: 's' + i } });
  }
  users.delete(IDBKeyRange.lowerBound(190));
  const settings = transaction.objectStore('settings');
  for (const key of ['text', '\udc00', 5, -Infinity, new Date(7), new Uint8Array([9, 8]), ['a', [1, new Date(2)]]]) {
    settings.put(value, key);
  }
  const numbered = transaction.objectStore('numbered');
  numbered.add('one');
  numbered.add('two', 40.5);
  numbered.add('three');
  numbered.delete(41);
  transaction.objectStore('nested').put({ a: { b: 'key' } });
  await ended(transaction);
  if (BLOBS) {
    const filing = shop.transaction('settings', 'readwrite');
    const blob = new Blob(['blob', new Uint8Array([0, 200])], { type: 'text/x' });
    filing.objectStore('settings').put([blob, { blob }, new File(['file'], 'näme.txt', { type: 'a/b', lastModified: 5 })], 'files');
    await ended(filing);
  }
  shop.close();

  (await open('empty', 3, () => {})).close();
  const keys = await open('keys', 1, (database) => database.createObjectStore('keys'));
  const secret = await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const writing = keys.transaction('keys', 'readwrite');
  writing.objectStore('keys').put({ secret }, 'not to be had');
  writing.objectStore('keys').put(1, 'plain');
  await ended(writing);
  keys.close();

  const assets = await caches.open('zebra');
  await assets.put('/kept/a.json', new Response('{"a":1}', { status: 203, statusText: 'Kept', headers: { 'content-type': 'application/json', 'x-more': 'y' } }));
  // One for each address: Chromium keeps no more.
  await assets.put(new Request('/kept/varied', { headers: { 'x-kind': 'two' } }), new Response('two', { headers: { vary: 'x-kind' } }));
  await assets.put('/kept/none', new Response(null, { status: 204 }));
  await assets.put('/kept/bytes', new Response(new Uint8Array([0, 1, 255])));
  await caches.open('ant');
})()
