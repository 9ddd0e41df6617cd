// A window that has no focus until it is used, without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { createPatcher } from '../../page/patch.js';
import { createAway } from '../../page/replay/away.js';
import { readLog } from '../../page/replay/log.js';

const focus = (/** @type {string} */ type, /** @type {string} */ object, path = undefined) => ({ kind: 'dom', type, target: { object, path } });
const logOf = (/** @type {object[]} */ events) => readLog(events.map((what, id) => ({ id, at: id, what })));
const trusted = { isTrusted: true };

test('until the log has the window’s focus nobody is told of any, and what has got it is owed that once', () => {
  const log = logOf([focus('focus', 'node', 'html>body>input'), focus('focus', 'window'), focus('blur', 'window')]);
  const away = createAway(log);
  const page = runInContext('globalThis.Document = class { hasFocus() { return true; } }; globalThis', createContext({}));
  away.install(page, createPatcher(page));
  const field = {};
  assert.equal(new page.Document().hasFocus(), false);
  assert.ok(away.isUntold(trusted, 'focus', field) && !away.isUntold(trusted, 'click', {}) && !away.isUntold({ isTrusted: false }, 'focus', {}));
  log.ordered[1].done = true;
  assert.equal(new page.Document().hasFocus(), true);
  assert.ok(!away.isUntold(trusted, 'focus', field));
  assert.ok(away.owes(field) && !away.owes(field));
});

test('a window that loses the focus first has had it, and so has one of which the log tells nothing', () => {
  for (const events of [[focus('blur', 'window'), focus('focus', 'window')], [focus('focus', 'window', 'html>body>iframe:1>#frame')], []]) {
    assert.ok(!createAway(logOf(events)).isUntold(trusted, 'focus', {}));
  }
});
