// The first script of each page that the test site serves. Reports what went wrong in the page to the site.
(() => {
  const report = (text) => navigator.sendBeacon('/~/errors', String(text));
  const consoleError = console.error;
  console.error = function error(...parts) {
    report('console: ' + parts.map(String).join(' '));
    return consoleError.apply(this, parts);
  };
  addEventListener('error', (event) => {
    if (event.target === window) report('exception: ' + event.message);
    else report('not loaded: ' + (event.target.src || event.target.href));
  }, true);
  addEventListener('unhandledrejection', (event) => report('rejection: ' + event.reason));
  addEventListener('securitypolicyviolation', (event) => report('policy: ' + event.violatedDirective));
})();
