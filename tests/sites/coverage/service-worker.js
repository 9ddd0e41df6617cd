onfetch = (event) => {
  if (event.request.url.includes('network')) event.respondWith(Response.json({ query: 'worker' }));
};
