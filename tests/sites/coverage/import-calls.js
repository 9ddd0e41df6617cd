export const names = [];
setTimeout(function later() {
  import('./no-such-module.js').catch(function gone(error) {
    saying(error.name);
  });
}, 5);
