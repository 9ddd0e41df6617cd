// The little that a test in a page needs.

const tests = [];

export function test(name, run) {
  tests.push({ name, run });
}

export function equal(actual, expected, what = 'value') {
  const a = JSON.stringify(actual), b = JSON.stringify(expected);
  if (a !== b) throw new Error(`${what}: got ${a}, expected ${b}`);
}

export function check(condition, what) {
  if (!condition) throw new Error(what);
}

/** Runs all tests, each in a frame of its own, and posts the outcomes. */
export async function runAll(extra = {}) {
  const results = [];
  for (const { name, run } of tests) {
    try {
      const more = await run();
      results.push({ name, ok: true, more });
    } catch (error) {
      results.push({ name, ok: false, error: String(error && error.message) + '\n' + String(error && error.stack) });
    }
  }
  await post({ agent: navigator.userAgent, results, ...extra });
}

export function post(value) {
  return fetch('/done', { method: 'POST', body: JSON.stringify(value) });
}

/** A document in a frame of 1000×800 px, from HTML; it stays until the next one. */
export function open(html, width = 1000, height = 800) {
  document.querySelectorAll('iframe').forEach(frame => frame.remove());
  const frame = document.createElement('iframe');
  frame.style.cssText = `width:${width}px;height:${height}px;border:0;position:absolute;left:0;top:0`;
  const loaded = new Promise(resolve => frame.addEventListener('load', resolve, { once: true }));
  frame.srcdoc = html;
  document.body.append(frame);
  return loaded.then(() => frame.contentWindow);
}
