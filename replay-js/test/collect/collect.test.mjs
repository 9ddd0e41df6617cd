// The tests of `page/target/` and `page/collect/` need layout, so they run in the real browsers: `node --test replay-js/test`.
// An engine that is not installed fails by name; `XCHECK_ENGINES=chromium,firefox` runs fewer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGINES, runInBrowser } from './browsers.mjs';

const engines = process.env.XCHECK_ENGINES?.split(',') ?? Object.keys(ENGINES);
const SEEDS = 12;

for (const engine of engines) {
  for (const module of ['target', 'data', 'hostile']) {
    test(`${module} in ${engine}`, async () => {
      const { results } = await runInBrowser(engine, `test/collect/page.html?module=${module}`);
      assert.notEqual(results.length, 0);
      assert.deepEqual(results.filter(result => !result.ok).map(result => `${result.name}: ${result.error}`), []);
    });
  }

  test(`increments equal a fresh collection in ${engine}`, async () => {
    // New seeds each time; a failure names its seed, and `oracle.html?from=SEED&count=1` repeats it.
    const from = Math.floor(Math.random() * 1e9);
    const { steps, failures } = await runInBrowser(engine, `test/collect/oracle.html?from=${from}&count=${SEEDS}`);
    assert.deepEqual(failures, []);
    assert.equal(steps, SEEDS * 25);
  });
}
