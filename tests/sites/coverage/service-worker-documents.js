const MADE_UP = `<!doctype html><title>made up</title><h1>Made up</h1>
<script>setTimeout(() => parent.postMessage('a document that nobody sent', '*'), 10)</script>`;

addEventListener('install', (event) => {
  skipWaiting();
  const wanted = ['service-worker-documents.html', 'service-worker-documents-frame.html?cached'];
  event.waitUntil(caches.open('documents').then((cache) => cache.addAll(wanted)));
});
addEventListener('activate', (event) => event.waitUntil(clients.claim()));

// Once from the server, and then as it came.
async function kept(request) {
  const cache = await caches.open('documents');
  const known = await cache.match(request);
  if (known) return known;
  const response = await fetch(request);
  await cache.put(request, response.clone());
  return response;
}

addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.mode !== 'navigate') return;
  if (request.url.endsWith('?again')) {
    event.respondWith(caches.match(request, { ignoreSearch: true }));
  } else if (request.url.includes('made-up')) {
    event.respondWith(new Response(MADE_UP, { headers: { 'content-type': 'text/html' } }));
  } else {
    event.respondWith(kept(request));
  }
});
