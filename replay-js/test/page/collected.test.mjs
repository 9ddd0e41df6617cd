import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { createContext, runInContext, runInNewContext } from 'node:vm';
import { test } from 'node:test';
import { createPatcher } from '../../page/patch.js';
import { installCollected } from '../../page/replay/collected.js';
import { installReferences } from '../../page/sources/references.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

/** What a page is told, and still has, of an object that nobody but a weak reference holds. */
async function afterCollecting(install) {
  const page = createContext();
  install(createPatcher(runInContext('globalThis', page)));
  runInContext(`
    const told = [];
    const registry = new FinalizationRegistry((name) => told.push(name));
    const weak = (() => {
      const lamp = { watts: 60 };
      registry.register(lamp, 'lamp');
      return new WeakRef(lamp);
    })();
  `, page);
  for (let turn = 0; turn < 5; turn += 1) {
    await setImmediate();
    collect();
  }
  return runInContext('({ told: told.length, watts: weak.deref()?.watts })', page);
}

test('a collector empties references and tells of it where nothing of ours is', async () => {
  const seen = await afterCollecting(() => {});
  assert.deepEqual({ ...seen }, { told: 1, watts: undefined });
});

test('what a weak reference holds stays for as long as it does', async () => {
  const seen = await afterCollecting(installReferences);
  assert.deepEqual({ ...seen }, { told: 0, watts: 60 });
});

test('a replay is told of nothing that the collector takes', async () => {
  const seen = await afterCollecting(installCollected);
  assert.deepEqual({ ...seen }, { told: 0, watts: undefined });
});

test('both are called as the browser\'s own are', () => {
  const page = createContext();
  const patch = createPatcher(runInContext('globalThis', page));
  installReferences(patch);
  installCollected(patch);
  const seen = runInContext(`[
    new WeakRef({}) instanceof WeakRef,
    Object.prototype.toString.call(new FinalizationRegistry(() => {})),
    WeakRef.length, WeakRef.name, String(WeakRef),
    (() => { try { WeakRef({}) } catch (error) { return error.name } })(),
    (() => { try { new FinalizationRegistry(1) } catch (error) { return error.name } })(),
    new (class Mine extends WeakRef {})({}).constructor.name,
  ]`, page);
  assert.deepEqual([...seen], [true, '[object FinalizationRegistry]', 1, 'WeakRef', 'function WeakRef() { [native code] }', 'TypeError', 'TypeError', 'Mine']);
});
