/** The wall clock: `Date` in all its uses, `Intl.DateTimeFormat` without an argument, `Temporal.Now`. */
import { apply, construct, uncurry } from '../natives.js';

/**
 * @param {import('../natives.js').Realm} realm
 * @param {import('../record/engine.js').Engine} engine
 * @param {import('../patch.js').Patcher} patch
 */
export function installDates(realm, engine, patch) {
  const { global } = realm;
  const nativeNow = global.Date.now;
  const dateText = uncurry(global.Date.prototype.toString);
  const now = () => engine.time('date', nativeNow);

  patch.constructor('Date', (Original) => {
    /** @param {any[]} given */
    function Date(...given) {
      if (!new.target) {
        return dateText(construct(Original, [now()]));
      }
      return construct(Original, given.length === 0 ? [now()] : given, new.target);
    }
    return Date;
  });
  patch.method(global.Date, 'now', () => now);

  patch.method(global.Intl?.DateTimeFormat?.prototype, 'formatToParts', (original) => ({
    formatToParts(/** @type {any} */ date = now()) {
      return apply(original, this, [date]);
    },
  }).formatToParts);
  patch.accessor(global.Intl?.DateTimeFormat?.prototype, 'format', (get) => ({
    get format() {
      const format = apply(get, this, []);
      return (/** @type {any} */ date) => format(date === undefined ? now() : date);
    },
  }));

  installTemporal(global, patch, now);
}

/**
 * `Temporal.Now` reads the clock by itself: its instant is ours, the others are made of it.
 * @param {any} global
 * @param {import('../patch.js').Patcher} patch
 * @param {() => number} now
 */
function installTemporal(global, patch, now) {
  const Now = global.Temporal?.Now;
  if (!Now) {
    return;
  }
  const { Instant } = global.Temporal;
  const instant = () => Instant.fromEpochMilliseconds(now());
  const zoned = (/** @type {any} */ zone) => instant().toZonedDateTimeISO(zone ?? Now.timeZoneId());
  patch.method(Now, 'instant', () => instant);
  patch.method(Now, 'zonedDateTimeISO', () => zoned);
  patch.method(Now, 'plainDateTimeISO', () => (/** @type {any} */ zone) => zoned(zone).toPlainDateTime());
  patch.method(Now, 'plainDateISO', () => (/** @type {any} */ zone) => zoned(zone).toPlainDate());
  patch.method(Now, 'plainTimeISO', () => (/** @type {any} */ zone) => zoned(zone).toPlainTime());
}
