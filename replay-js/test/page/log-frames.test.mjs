// When what moves began, and where it was, by the frames of a log; without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogFrames } from '../../page/replay/log-frames.js';
import { readLog } from '../../page/replay/log.js';

const FRAME = 50 / 3;
const ORIGIN = 1000;

/** A log of these events, each with its time. @param {[number, object][]} events */
function framesOf(events) {
  const all = [[0, { kind: 'script' }], ...events].map(([at, what], id) => ({ id, at: ORIGIN + at, what, local: id === 0 ? { host: ['ResizeObserver', 'Animation'] } : {} }));
  return createLogFrames(readLog(all));
}

const frame = (/** @type {number} */ number, late = 0) => /** @type {[number, object]} */ ([number * FRAME + late, { kind: 'frame', time: number * FRAME }]);
const told = (/** @type {number} */ at) => /** @type {[number, object]} */ ([at, { kind: 'host', event: 'deliver', of: [0, 0] }]);
const finish = (/** @type {number} */ at) => /** @type {[number, object]} */ ([at, { kind: 'host', event: 'finish', of: [0, 1] }]);
const near = (/** @type {number} */ actual, /** @type {number} */ expected) => assert.ok(Math.abs(actual - expected) < 2.5, `${actual} is not ${expected}`);

test('nothing moves between two frames, however late something runs in one', () => {
  const frames = framesOf([frame(1), frame(2, 9), frame(3)]);
  near(frames.timeAt(ORIGIN + 2 * FRAME + 12), 2 * FRAME);
  near(frames.timeAt(ORIGIN + FRAME + 4), FRAME);
});

test('what is set off begins with the next frame', () => {
  const frames = framesOf([frame(1), frame(2), frame(3)]);
  near(frames.begins(ORIGIN + FRAME + 4), 2 * FRAME);
  near(frames.begins(ORIGIN + 3 * FRAME + 4), 4 * FRAME);
});

test('what a page hears the end of began so long before, or up to a frame earlier', () => {
  const frames = framesOf([frame(1), [14 * FRAME, { kind: 'dom', type: 'transitionend' }], frame(14, 0.3)]);
  near(frames.beginsBefore(ORIGIN + 2, ORIGIN + 14 * FRAME, 12.5 * FRAME), FRAME);
  near(frames.beginsBefore(ORIGIN + 2, ORIGIN + 14 * FRAME, 11 * FRAME), 2 * FRAME);
  near(frames.beginsBefore(ORIGIN + 2, ORIGIN + 14 * FRAME, 2 * FRAME), FRAME);
});

test('what a script plays began with the frame before the first of which sizes are told', () => {
  const late = framesOf([told(2.9 * FRAME), told(4 * FRAME), finish(20 * FRAME)]);
  near(late.playsFrom(ORIGIN + FRAME, 18 * FRAME), ORIGIN + 2 * FRAME);
  const early = framesOf([finish(FRAME), told(2 * FRAME), finish(20 * FRAME)]);
  near(early.playsFrom(ORIGIN + FRAME, 18 * FRAME), ORIGIN + FRAME);
});

test('who is told of sizes twice was told in two frames, and the first of them was late', () => {
  const frames = framesOf([told(FRAME), told(2.9 * FRAME), told(3.05 * FRAME)]);
  near(frames.passed(ORIGIN, ORIGIN + 2.9 * FRAME) + ORIGIN, ORIGIN + 2 * FRAME);
  near(frames.passed(ORIGIN, ORIGIN + 3.05 * FRAME) + ORIGIN, ORIGIN + 3 * FRAME);
});
