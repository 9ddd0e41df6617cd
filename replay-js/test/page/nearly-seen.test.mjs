import assert from 'node:assert/strict';
import test from 'node:test';
import { createNearlySeen } from '../../page/replay/nearly-seen.js';

const VIEW = 600;

/** As a browser has it, of elements of no height at `top`. */
class IntersectionObserver {
  root = null;
  thresholds = [0];

  constructor(callback, { rootMargin = '0px 0px 0px 0px' } = {}) {
    this.callback = callback;
    this.rootMargin = rootMargin;
    this.targets = [];
  }

  observe(target) {
    this.targets.push(target);
  }

  disconnect() {
    this.targets = [];
    IntersectionObserver.ended += 1;
  }

  look() {
    const [above, , below] = this.rootMargin.split(' ').map((side) => (side.endsWith('%') ? (parseFloat(side) / 100) * VIEW : parseFloat(side)));
    return this.targets.map((target) => {
      const isIntersecting = target.top >= -above && target.top <= VIEW + below;
      return { target, isIntersecting, intersectionRatio: isIntersecting ? 1 : 0 };
    });
  }
}

function watched(rootMargin, ...tops) {
  IntersectionObserver.ended = 0;
  const made = [];
  class Asked extends IntersectionObserver {
    constructor(...given) {
      super(...given);
      made.push(this);
    }
  }
  const nearly = createNearlySeen({ global: { IntersectionObserver: Asked, innerHeight: VIEW } }, {
    nextFrames: async (ready) => {
      made.forEach((observer) => observer.callback(observer.look()));
      assert.ok(ready());
    },
  });
  const observer = new IntersectionObserver(() => {}, { rootMargin });
  const targets = tops.map((top) => ({ top }));
  targets.forEach((target) => observer.observe(target));
  const entry = {};
  const bring = () => nearly.brought(entry, observer.look(), observer);
  assert.equal(bring().length, tops.length);
  return { nearly, observer, targets, bring, ahead: (count) => nearly.ahead(entry, count), made };
}

test('what is some pixels away from being in view is told as in view', async () => {
  const { ahead, targets, made } = watched('0px 0px 200px 0px', 830, 1500);
  const { given: [[told], observer], px } = await ahead(1);
  assert.deepEqual([told.target, told.isIntersecting, px], [targets[0], true, 48]);
  assert.equal(observer.rootMargin, '0px 0px 200px 0px');
  assert.equal(IntersectionObserver.ended, made.length, 'nobody looks on');
});

test('what is some pixels away from leaving the view is told as out of it', async () => {
  const { ahead, targets } = watched('-10% 0px 0px 0px', 70);
  const { given: [[told]], px } = await ahead(1);
  assert.deepEqual([told.target, told.isIntersecting, px], [targets[0], false, 12]);
});

test('far away, nobody is told, and where more are near than the log has', async () => {
  assert.equal(await watched('0px 0px 0px 0px', 720).ahead(1), undefined);
  assert.equal(await watched('0px 0px 0px 0px', 605, 606).ahead(1), undefined);
  assert.equal((await watched('0px 0px 0px 0px', 605, 606).ahead(2)).given[0].length, 2);
});

test('what the browser says later of what was told ahead is not told again', async () => {
  const { ahead, bring, targets } = watched('0px 0px 0px 0px', 620);
  await ahead(1);
  targets[0].top = 590;
  assert.deepEqual(bring(), []);
  targets[0].top = -5;
  assert.deepEqual(bring().map(({ isIntersecting }) => isIntersecting), [false]);
});

test('what is observed no more is not told of', async () => {
  const { nearly, observer, ahead, targets } = watched('0px 0px 0px 0px', 605, 606);
  nearly.keepOnly(observer, (target) => target !== targets[0]);
  assert.deepEqual((await ahead(1)).given[0].map(({ target }) => target), [targets[1]]);
});
