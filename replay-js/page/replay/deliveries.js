/** What observers and callbacks of one call are told: by the browser, when the log says that its turn has come. */
import { broughtTo, hasSeen, takeBrought, takeSeen } from './brought.js';
import { OF_SIZES } from './sizes.js';

/** For the rest of what an observer has to tell, which is there with the next frames or not at all. */
const OBSERVER_DEADLINE_MS = 500;

/**
 * @param {{
 *   log: import('./log.js').Log,
 *   engine: import('./engine.js').ReplayEngine,
 *   findings: import('./findings.js').Findings,
 *   waiting: import('./waiting.js').Waiting,
 *   animations: import('./animations.js').Animations,
 *   deadlineMs: number,
 *   runIn: (logged: import('./log.js').Logged, run: () => void) => Promise<void>,
 * }} parts
 */
export function createDeliveries({ log, engine, findings, waiting, animations, deadlineMs, runIn }) {
  /**
   * Puts what moves where it was when the log told of sizes, and waits for those. Where nothing is of another size then, who sees the movement
   * is told what it was told last, with a note: it was shorter here, or went a shorter way.
   * @param {import('./log.js').Logged} logged
   * @param {import('./engine.js').Entry} entry
   */
  async function moveSizes(logged, entry) {
    const brought = entry.arrivals;
    const before = brought[brought.length - 1];
    if (!animations.stepToSizes(logged.id, entry)) {
      return false;
    }
    await waiting.nextFrames(() => brought.length > 0 && brought[brought.length - 1] !== before);
    return true;
  }

  /** Whether the log has another delivery to the same observer. @param {import('./log.js').Logged} logged */
  function tellsAgain({ id, what: { of } }) {
    return log.next((other) => other.id > id && other.what.event === 'deliver' && other.what.of[0] === of[0] && other.what.of[1] === of[1]) !== undefined;
  }

  /**
   * @param {import('./log.js').Logged} logged
   * @param {import('./engine.js').Entry} entry
   */
  async function take(logged, entry) {
    const { event, data } = logged.what;
    if (typeof data !== 'number' || !broughtTo(entry, event)) {
      return takeBrought(entry, event, data);
    }
    const isThere = () => hasSeen(entry, data);
    await waiting.until(isThere, OBSERVER_DEADLINE_MS);
    // On a loaded machine no frame may have come by then.
    await waiting.nextFrames(isThere);
    return takeSeen(entry, hasSeen(entry, data + 1) && tellsAgain(logged) ? data : Infinity);
  }

  /**
   * @param {import('./log.js').Logged} logged
   * @param {import('./engine.js').Entry} entry
   * @param {(given: any) => void} tell
   */
  async function tellAhead(logged, entry, tell) {
    const ahead = await engine.observed.ahead(entry, logged.what.data);
    if (ahead) {
      findings.note(logged.id, 'told of what is within ' + ahead.px + ' px of being in view, or of being no more in view');
      await runIn(logged, () => tell(ahead.given));
    }
    return ahead !== undefined;
  }

  /**
   * @param {import('./log.js').Logged} logged
   * @param {import('./engine.js').Entry} entry
   */
  return async function deliver(logged, entry) {
    const ofSizes = entry.identity === OF_SIZES;
    const has = () => logged.done || broughtTo(entry, logged.what.event) !== undefined;
    if (ofSizes && (await moveSizes(logged, entry)) && !has() && entry.lastTold) {
      const { deliver: tell, given } = entry.lastTold;
      findings.note(logged.id, 'told of the same sizes as before: nothing was of another size');
      await runIn(logged, () => tell(given));
      return;
    }
    const last = entry.arrivals[entry.arrivals.length - 1];
    if (ofSizes && last?.ofLook) {
      // What moves stood at its end then, and is told of again where it is now.
      await waiting.nextFrames(() => entry.arrivals[entry.arrivals.length - 1] !== last);
    }
    if (entry.missed) {
      await waiting.nextFrames(has);
    } else {
      await waiting.until(has, deadlineMs);
    }
    if (logged.done) {
      await waiting.turn(() => {});
      return;
    }
    const arrival = await take(logged, entry);
    if (!arrival && entry.lastTold && (await tellAhead(logged, entry, entry.lastTold.deliver))) {
      return;
    }
    entry.missed = !arrival;
    const tell = arrival?.deliver;
    if (tell) {
      entry.lastTold = { given: arrival.given, deliver: tell };
      await runIn(logged, () => tell(arrival.given));
      return;
    }
    if (ofSizes) {
      entry.lastTold = null;
    }
    findings.diverged(logged.id, 'event-missing', logged.what.event + ' on ' + entry.identity, 'nothing');
  };
}
