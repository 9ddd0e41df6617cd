/** Time since the navigation: `performance.now`, `timeOrigin`, `event.timeStamp`, `document.timeline.currentTime`. */
import { apply, newWeakMap } from '../natives.js';

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../record/engine.js').Engine} engine
 * @param {import('../patch.js').Patcher} patch
 */
export function installClock(realm, engine, patch) {
  const { global } = realm;
  patch.method(global.Performance.prototype, 'now', () => ({
    now() {
      return engine.time('now', realm.now);
    },
  }).now);
  patch.accessor(global.Performance.prototype, 'timeOrigin', (get) => ({
    get timeOrigin() {
      return engine.answer('performance.timeOrigin', () => apply(get, this, []));
    },
  }));

  // An event has one time, however often it is read.
  const stamps = newWeakMap();
  patch.accessor(global.Event.prototype, 'timeStamp', (get) => ({
    get timeStamp() {
      const native = apply(get, this, []);
      let stamp = stamps.get(this);
      if (stamp === undefined) {
        stamp = engine.time('now', () => native);
        stamps.set(/** @type {any} */ (this), stamp);
      }
      return stamp;
    },
  }));

  const { AnimationTimeline } = global;
  patch.accessor(AnimationTimeline?.prototype, 'currentTime', (get) => ({
    get currentTime() {
      const native = apply(get, this, []);
      return typeof native === 'number' ? engine.time('now', () => native) : native;
    },
  }));
}
