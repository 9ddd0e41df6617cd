/** Settling a promise of the browser's own: with what the log says, once the browser has settled it, or in its stead. */
import { append } from '../natives.js';
import { settledWith } from './settled-together.js';

/** Without a sound card, one engine says that it plays and another waits for one. */
const OF_SOUND = { __proto__: null, 'AudioContext.resume': true, 'AudioContext.suspend': true };

const ANIMATION_READY = 'Animation.ready';

/**
 * @param {{
 *   realm: import('./realm.js').ReplayRealm,
 *   log: import('./log.js').Log,
 *   engine: import('./engine.js').ReplayEngine,
 *   findings: import('./findings.js').Findings,
 *   waiting: import('./waiting.js').Waiting,
 *   animations: import('./animations.js').Animations,
 *   deadlineMs: number,
 *   find: (logged: import('./log.js').Logged, list: string, usable: (entry: import('./engine.js').Entry) => boolean) => import('./engine.js').Entry | undefined,
 *   runIn: (logged: import('./log.js').Logged, run: () => void) => Promise<any>,
 *   untilAnswered: (request: any, ready: () => boolean) => Promise<void>,
 * }} parts
 */
export function createSettling({ realm, log, engine, findings, waiting, animations, deadlineMs, find, runIn, untilAnswered }) {
  /**
   * Has animations begin and end that somebody waits for. When one is ready depends on the browser's frames, which may stay out on a busy
   * machine: then the log's word is taken.
   * @param {(import('./engine.js').Entry | undefined)[]} entries of what is fulfilled
   */
  async function bringAnimations(entries) {
    const areReady = () => areSettled(entries, ANIMATION_READY);
    for (let i = 0; i < entries.length; i += 1) {
      if (entries[i]?.identity === 'Animation.finished') {
        animations.end(entries[i]?.source);
      }
    }
    if (areReady()) {
      return;
    }
    animations.step();
    await waiting.nextFrames(areReady);
    for (let i = 0; i < entries.length; i += 1) {
      const entry = entries[i];
      if (entry?.identity === ANIMATION_READY && entry.settled === null && entry.source) {
        entry.settled = { outcome: 'fulfilled', settle: () => entry.settle.fulfilled(entry.source) };
      }
    }
  }

  /**
   * Those who wait for one go on when all have been told.
   * @param {import('./log.js').Logged[]} all
   */
  async function settleTogether(all) {
    /** @type {(import('./engine.js').Entry | undefined)[]} */
    const entries = [];
    for (let i = 0; i < all.length; i += 1) {
      append(entries, find(all[i], all[i].what.list, () => true));
    }
    await bringAnimations(entries);
    await waiting.until(() => areSettled(entries), deadlineMs);
    await waiting.turn(() => {
      for (let i = 0; i < all.length; i += 1) {
        const { outcome } = all[i].what;
        const entry = entries[i];
        all[i].done = true;
        if (entry?.settled) {
          const rejection = rejectionOf(entry, outcome);
          engine.begin(all[i]);
          engine.inside(rejection ? () => entry.settle.rejected(rejection.reason) : entry.settled.settle);
          if (!rejection && entry.settled.outcome !== outcome) {
            findings.diverged(all[i].id, 'settled-otherwise', outcome, entry.settled.outcome);
          }
        } else if (entry) {
          findings.diverged(all[i].id, 'settled-otherwise', outcome, 'still pending');
        }
      }
    });
  }

  /**
   * Where the page has taken back what was answered here before that.
   * @param {import('./engine.js').Entry} entry
   * @param {string} outcome the log's
   */
  function rejectionOf({ settled, source }, outcome) {
    return outcome === 'rejected' && settled?.outcome !== outcome ? engine.takenBack(source) : null;
  }

  /** @param {import('./log.js').Logged} logged */
  const isTakenBack = ({ what }) => what.kind === 'settle' && engine.takenBack(engine.partner(what.list, what.of)?.source) !== null;

  /** @param {import('./log.js').Logged} logged */
  return async function settle(logged) {
    const all = settledWith(log, logged, isTakenBack);
    if (all.length > 1) {
      await settleTogether(all);
      return;
    }
    const { list, outcome, size, value } = logged.what;
    const entry = find(logged, list, () => true);
    if (!entry) {
      return;
    }
    const { run } = entry;
    if (run) {
      // A timer that stands for it: taken back it runs no more.
      if (entry.live && outcome === 'fulfilled') {
        await runIn(logged, () => run(logged.what));
      }
      return;
    }
    if (entry.told && value !== undefined) {
      const settle = entry.settle[outcome];
      await runIn(logged, () => settle(outcome === 'fulfilled' ? value : new realm.interfaces.DOMException(value[0], value[1])));
      return;
    }
    if (OF_SOUND[/** @type {'AudioContext.resume'} */ (entry.identity)] && outcome === 'fulfilled') {
      await runIn(logged, () => entry.settle.fulfilled());
      return;
    }
    entry.pull?.(size);
    if (outcome === 'fulfilled') {
      await bringAnimations([entry]);
    }
    const skipped = outcome === 'rejected' ? engine.transitions.skipped(entry.identity) : null;
    if (skipped && entry.settled?.outcome !== outcome) {
      await runIn(logged, () => entry.settle.rejected(skipped.reason));
      return;
    }
    const isSettled = () => entry.settled !== null;
    await (list === 'fetch' && outcome === 'fulfilled' ? untilAnswered(entry.identity, isSettled) : waiting.until(isSettled, deadlineMs));
    const { settled } = entry;
    if (settled === null) {
      findings.diverged(logged.id, 'settled-otherwise', outcome, 'still pending');
      return;
    }
    if (settled.outcome !== outcome) {
      const rejection = rejectionOf(entry, outcome);
      if (rejection) {
        await runIn(logged, () => entry.settle.rejected(rejection.reason));
        return;
      }
      findings.diverged(logged.id, 'settled-otherwise', outcome, settled.outcome);
    }
    await runIn(logged, settled.settle);
  };
}

/**
 * @param {(import('./engine.js').Entry | undefined)[]} entries
 * @param {string} [identity] of those that count
 */
function areSettled(entries, identity) {
  for (let i = 0; i < entries.length; i += 1) {
    const entry = entries[i];
    if (entry?.settled === null && (identity === undefined || entry.identity === identity)) {
      return false;
    }
  }
  return true;
}
