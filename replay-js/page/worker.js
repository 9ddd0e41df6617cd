/**
 * What a worker gets in front of its script: its random numbers, its time and the order of its tasks are recorded, or given
 * again. Everything else a worker does for itself; what it says to the page is held there until its turn has come.
 *
 * A worker has no events that anybody but itself sees, so all its answers are one sequence.
 */
import { parseJson, uncurry } from './natives.js';
import { createPatcher } from './patch.js';
import { installClock } from './sources/clock.js';
import { installDates } from './sources/dates.js';
import { installNumbers } from './sources/numbers.js';
import { recordWorker } from './worker/recording.js';
import { replayWorker } from './worker/replaying.js';
import { installTasks } from './worker/tasks.js';

/**
 * @param {any} global
 * @param {string} configText `endpoint`, and `exchange` or `made`, while recording; `answers` while replaying
 */
export function startWorker(global, configText) {
  const config = parseJson(configText);
  const now = uncurry(global.performance.now);
  const realm = { global, random: global.Math.random, now: () => now(global.performance) };
  const patch = createPatcher(global);
  const engine = config.answers ? replayWorker(global, config.answers) : recordWorker(realm, config, patch);
  installTasks(global, engine, patch);
  installNumbers(/** @type {any} */ (realm), /** @type {any} */ (engine), patch);
  installDates(/** @type {any} */ (realm), /** @type {any} */ (engine), patch);
  installClock(/** @type {any} */ (realm), /** @type {any} */ (engine), patch);
}
