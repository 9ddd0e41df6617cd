addEventListener('install', (event) => {
  skipWaiting();
  event.waitUntil(caches.open('answers').then((cache) => cache.addAll(['plain.txt?cached'])));
});
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('message', (event) => event.source.postMessage(event.data + ' yourself'));

async function renewed(event) {
  const cache = await caches.open('answers');
  const kept = await cache.match(event.request);
  const fresh = fetch(event.request).then(async (response) => {
    await cache.put(event.request, response.clone());
    return response;
  });
  if (!kept) return fresh;
  // The next request finds what this one brought.
  await fresh;
  return kept;
}

addEventListener('fetch', (event) => {
  const { url } = event.request;
  if (url.endsWith('?cached')) {
    event.respondWith(caches.match(event.request));
  } else if (url.endsWith('?made-up')) {
    event.respondWith(new Response('made up', { status: 203, headers: { 'x-by': 'worker' } }));
  } else if (url.endsWith('?passed-on')) {
    event.respondWith(fetch(event.request));
  } else if (url.endsWith('?renewed')) {
    event.respondWith(renewed(event));
  } else if (url.endsWith('?failed')) {
    event.respondWith(Response.error());
  } else if (url.endsWith('made-up.js')) {
    event.respondWith(new Response('say("a script that was made up")', { headers: { 'content-type': 'text/javascript' } }));
  }
});
