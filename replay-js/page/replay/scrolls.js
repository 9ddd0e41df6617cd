/**
 * A page that listens to scrolling in this browser alone, where another has events of its own for what it wants to know: the log does
 * not say when. It is told of all that has been scrolled since the page was looked at last, once.
 */
import { append, splice } from '../natives.js';
import { heardTypes } from '../sources/listening.js';

/**
 * @param {import('./log.js').Log} log
 * @param {import('./waiting.js').Waiting} waiting
 * @param {boolean} own this is the browser that the log was recorded in, whose scrolling is all there
 */
export function createScrolls(log, waiting, own) {
  const isUnknown = !own && log.firstAfter(-1, ({ what }) => what.kind === 'dom' && what.type === 'scroll') === undefined;
  /** @type {{event: any, target: any}[]} */
  const brought = [];

  return {
    /**
     * @param {any} event that the page is not told of as it comes
     * @param {any} target
     */
    came(event, target) {
      if (!isUnknown) {
        return;
      }
      for (let i = 0; i < brought.length; i += 1) {
        if (brought[i].target === target) {
          return;
        }
      }
      append(brought, { event, target });
      waiting.changed();
    },
    has: () => brought.length > 0,
    take: () => splice(brought, 0, 1)[0],
    /** What has been scrolled is told with the next frame. */
    async haveCome() {
      if (isUnknown && heardTypes.scroll) {
        await waiting.nextFrame();
      }
    },
  };
}

/** @typedef {ReturnType<typeof createScrolls>} Scrolls */
