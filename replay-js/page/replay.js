/**
 * The replayer's entry.
 */
import { claimWindow, joinFamily } from './family.js';
import { hello } from './hello.js';
import { append, indexOf, parseJson } from './natives.js';
import { createAnimations } from './replay/animations.js';
import { createArrivals } from './replay/arrivals.js';
import { createAutofocus } from './replay/autofocus.js';
import { createAway } from './replay/away.js';
import { hideBars } from './replay/bars.js';
import { createBeyond } from './replay/beyond.js';
import { installCollected } from './replay/collected.js';
import { openChannel, sayGoodbyeAtTheEnd } from './channel.js';
import { installConnections } from './replay/connections.js';
import { installCurrentEvent } from './replay/current-event.js';
import { createDragging } from './replay/dragging.js';
import { keepWhatComesEarly } from './replay/early.js';
import { createReplayEngine } from './replay/engine.js';
import { compareExceptions } from './replay/exceptions.js';
import { createFindings } from './replay/findings.js';
import { createGestures } from './replay/gestures.js';
import { createHurried } from './replay/hurried.js';
import { createInherited } from './replay/inherited.js';
import { createLocalFrames } from './replay/local-frames.js';
import { prepareLocks } from './replay/locks.js';
import { createLoading } from './replay/loading.js';
import { createLogFrames } from './replay/log-frames.js';
import { readLog } from './replay/log.js';
import { createMedia } from './replay/media.js';
import { createMeasuring } from './replay/measuring.js';
import { createModuleArrivals } from './replay/modules-arrived.js';
import { createMovingDrawings } from './replay/moving-drawings.js';
import { installOlderNames } from './replay/older-names.js';
import { createOneByOne } from './replay/one-by-one.js';
import { createOnTheWay } from './replay/on-the-way.js';
import { createOpened } from './replay/opened.js';
import { createOutOfSight } from './replay/out-of-sight.js';
import { createParsing } from './replay/parsing.js';
import { createPerformer } from './replay/perform.js';
import { createPickers } from './replay/pickers.js';
import { createPlayed } from './replay/played.js';
import { createPointer } from './replay/pointer.js';
import { createPointerNumbers } from './replay/pointer-numbers.js';
import { createPosing } from './replay/posing.js';
import { createReadyState } from './replay/ready-state.js';
import { captureReplayRealm } from './replay/realm.js';
import { createResources } from './replay/resources.js';
import { createRestyled } from './replay/restyled.js';
import { installEntries } from './replay/entries.js';
import { installFractions } from './replay/fractions.js';
import { installShuffles } from './replay/shuffles.js';
import { installScreen } from './replay/screen.js';
import { createScrolls } from './replay/scrolls.js';
import { createSizes } from './replay/sizes.js';
import { createSheetsOf } from './replay/sheets-of.js';
import { installSmoothScrolling } from './replay/smooth-scrolling.js';
import { createStilled } from './replay/stilled.js';
import { createSynthetic } from './replay/synthetic.js';
import { createTargets } from './replay/targets.js';
import { installTasks } from './replay/tasks.js';
import { createTimeouts } from './replay/timeouts.js';
import { createTraversals } from './replay/traversals.js';
import { createUnderWay } from './replay/under-way.js';
import { installUserTiming } from './replay/user-timing.js';
import { createWaiting } from './replay/waiting.js';
import { createValidation } from './replay/validation.js';
import { installViewTransitions } from './replay/view-transitions.js';
import { installXhrView } from './replay/xhr-view.js';
import { restoreStorage } from './replay/storage.js';
import { createPageData } from './replay/page-data.js';
import { installSources } from './sources/all.js';
import { nameScript } from './sources/scripts.js';

/** The engine whose ways `replay/shuffles.js` and `replay/fractions.js` know, as a manifest writes it. */
const KNOWN = 'blink';

/**
 * @param {any} global
 * @param {string} configText
 * @param {string} eventsText
 */
export function startReplayer(global, configText, eventsText) {
  const config = parseJson(configText);
  const claimed = claimWindow(global, config);
  global.document.currentScript?.remove();
  if (claimed === null) {
    return;
  }
  const realm = captureReplayRealm(claimed);
  sayGoodbyeAtTheEnd(realm, config.endpoint);
  const log = readLog(parseJson(eventsText));
  const numberOf = createPointerNumbers(realm);
  const dragging = createDragging(realm, log, numberOf);
  restoreStorage(global, config.storage);
  const place = joinFamily(realm, config);
  const waiting = createWaiting(realm);
  const posing = createPosing(realm, waiting);
  const findings = createFindings((message) => channel.say(message));
  const engine = createReplayEngine(realm, log, findings, waiting, nameScript, posing, config.own);
  engine.inline = config.inline;
  engine.address = global.location.origin + config.endpoint + '/log';
  // These capture what the sources are about to replace.
  const targets = createTargets(realm);
  const resources = createResources(realm, waiting);
  const hasLocks = indexOf(eventsText, 'LockManager') >= 0;
  const timeouts = createTimeouts(realm, engine);
  const modules = createModuleArrivals(realm, waiting, resources, engine.moduleRan);
  const measuring = createMeasuring(engine);
  const away = createAway(log);
  const outOfSight = createOutOfSight(realm);
  hideBars(realm);
  const hurried = createHurried(realm);
  const onTheWay = createOnTheWay(realm, log, targets, engine, hurried);
  const oneByOne = createOneByOne(realm);
  const media = createMedia(realm, engine);
  const validation = createValidation(realm, waiting);
  const stilled = createStilled(realm);
  const pageData = createPageData(realm, config.load, place.path, measuring, media);
  const loading = createLoading(realm, pageData.watch.roots);
  engine.onRealm((added) => {
    loading.watch(added);
    if (added !== realm) {
      resources.lookInto(added);
    }
    if (hasLocks) {
      prepareLocks(added);
    }
  });
  const installed = installSources(realm, /** @type {any} */ (engine), place.answer, (xhr, hosts, ownRealm, patch) => {
    installSmoothScrolling(ownRealm, patch, onTheWay);
    installCurrentEvent(realm, ownRealm, patch);
    installOlderNames(ownRealm, patch);
    oneByOne.install(ownRealm.global, patch);
    installCollected(patch);
    installTasks(ownRealm, patch);
    installScreen(ownRealm, patch, config.screen);
    measuring.install(ownRealm.global, patch);
    media.install(ownRealm, patch);
    away.install(ownRealm.global, patch);
    outOfSight.install(ownRealm, patch);
    validation.install(ownRealm, patch);
    installViewTransitions(ownRealm, patch, engine.transitions);
    engine.observed.install(ownRealm, patch);
    installUserTiming(ownRealm, engine, patch);
    installEntries(ownRealm, log, engine, patch);
    timeouts.install(ownRealm, patch, config.engine === KNOWN ? 'signal timed out' : 'The operation timed out.');
    if (config.engine === KNOWN) {
      installShuffles(ownRealm, engine, patch);
      installFractions(ownRealm, patch);
    }
    const showFrom = installXhrView(ownRealm, patch);
    xhr.onSent((request, token) => {
      token.view = showFrom(request, token);
    });
    const connected = installConnections(ownRealm, patch);
    hosts.onListened((target, type, token) => {
      token.source = target;
      connected(target, type, token);
    });
  });
  place.answer(realm, installed.watch, null);
  pageData.watch.install(global, installed.patch);

  const parsing = createParsing(realm, log, waiting);
  const readyState = createReadyState(realm, installed.patch, parsing);
  const { now } = engine.virtualTime;
  const sizes = createSizes(realm, log, engine.observed.whoSees, now);
  const drawings = config.drawings ? createMovingDrawings(realm, installed.patch, log, now) : null;
  const frames = createLogFrames(log);
  const underWay = createUnderWay(realm, log, frames, targets, config.asks, now);
  const played = createPlayed(realm, installed.patch, frames, (animation) => sizes.isHeld(animation) || underWay.isHeld(animation), now);
  const animations = createAnimations(realm, played, sizes, underWay, drawings, pageData.watch.roots);
  engine.onLook(animations.isShown);
  const traversals = createTraversals(realm, installed.patch);
  const restyled = createRestyled(realm, targets);
  const sheetsOf = createSheetsOf(realm, targets);
  const pointer = createPointer(realm, log, targets);
  const synthesise = createSynthetic(realm, numberOf);
  const arrivals = createArrivals({ realm, log, engine, findings, waiting, targets, loading, parsing, readyState, animations, inherited: createInherited(animations, targets), restyled, traversals, dragging, opened: createOpened(realm), pointer, outOfSight, media, onTheWay, oneByOne, synthesise });
  keepWhatComesEarly(realm, installed.watch, arrivals);
  const localFrames = createLocalFrames(realm, installed.watch, waiting);
  const performer = createPerformer({ realm, log, engine, findings, waiting, arrivals, parsing, outOfSight, onTheWay, oneByOne, animations, say: (message) => channel.say(message) });
  const scrolls = createScrolls(log, waiting, config.own);
  const pickers = createPickers(realm, !config.own || config.engine === KNOWN);
  const gestures = createGestures({ realm, log, engine, findings, waiting, arrivals, targets, away, outOfSight, animations, dragging, pointer, synthesise, scrolls, onTheWay, pickers, validation, perform: performer.perform });
  const autofocus = createAutofocus(realm, waiting, config.own);
  const exceptions = compareExceptions(log, engine, findings, waiting, parsing);
  const beyond = createBeyond(realm, log, engine, waiting, scrolls, config.left);

  /**
   * The page's clock comes to an event.
   * @param {import('./replay/log.js').Logged} logged
   */
  async function reach(logged) {
    await beyond.before(logged);
    engine.virtualTime.reach(logged.at);
  }

  /**
   * What moves is where it was before these, also after a look at the page, where it stood at its end.
   * @param {number[]} events
   */
  async function come(events) {
    const first = log.byId(events[0]);
    if (first) {
      await reach(first);
    }
    animations.step();
  }

  /** @param {number[]} ids */
  async function outcomes(ids) {
    await waiting.turn(() => {});
    await autofocus.given();
    engine.close();
    await beyond.rest();
    animations.step();
    /** @type {import('./replay/findings.js').Finding[]} */
    const events = [];
    for (let i = 0; i < ids.length; i += 1) {
      append(events, findings.take(ids[i]));
    }
    findings.sayRest();
    return { events };
  }

  // Promises are awaited before they are returned: one that is returned is asked for its `then`, which may be the page's.
  const channel = openChannel(realm, config.endpoint, { hello: hello(realm, config, place) }, {
    __proto__: null,
    /** @param {{events: number[]}} command */
    async run({ events }) {
      for (let i = 0; i < events.length; i += 1) {
        const logged = log.byId(events[i]);
        if (logged?.what.kind === 'error') {
          await exceptions.due(logged);
        } else if (logged) {
          // What waits for an animation's end waits until its time has come.
          await reach(logged);
          animations.step();
          animations.catchSizes();
          await performer.perform(logged);
          exceptions.ran(logged);
          await localFrames.haveLoaded();
          await autofocus.given();
          animations.step();
        }
      }
      return await outcomes(events);
    },
    /** @param {{exchange: number, urls: string[]}} command of a module that is about to come, with these */
    async comes({ exchange, urls }) {
      await modules.haveCome(urls);
      engine.moduleComes(exchange);
      return outcomes([]);
    },
    /** @param {{url: string, ran: number[]}} command */
    async arrived({ url, ran }) {
      await modules.arrived(url, ran);
      return outcomes([]);
    },
    /**
     * Before a style sheet comes: styled without it, in a frame, as most engines are meanwhile.
     * @param {{url: string}} command
     */
    async unstyled({ url }) {
      await waiting.nextFrame();
      animations.step();
      return { came: resources.count(url) };
    },
    /** @param {{event: number}} command */
    sheetsOf({ event }) {
      const logged = log.byId(event);
      return { addresses: logged ? sheetsOf(logged.what) : [] };
    },
    /** @param {{url: string, before: number}} command */
    async styled({ url, before }) {
      await resources.until(url, before + 1);
      await waiting.nextFrame();
      restyled.sheetCame();
      animations.step();
    },
    /** @param {{event: number, events: number[]}} command */
    async aim({ event, events }) {
      await come(events);
      return gestures.aim(event, events);
    },
    /** @param {{events: number[], rests?: boolean, closesPickers?: boolean}} command */
    async gesture({ events, rests, closesPickers }) {
      await come(events);
      if (closesPickers) {
        pickers.close();
      }
      hurried.hurry();
      restyled.acted(log.gestureOf(events));
      await gestures.announce(events, rests);
    },
    /** @param {{event: number}} command */
    async entry({ event }) {
      animations.step();
      return await gestures.entry(event);
    },
    /** @param {{event: number}} command */
    async insert({ event }) {
      animations.step();
      await gestures.insert(event);
    },
    settle: async () => await outcomes(await gestures.settle()),
    /** @param {{event: number}} command */
    async dispatch({ event }) {
      animations.step();
      await gestures.dispatch(event);
      return await outcomes([event]);
    },
    /** @param {{begins: boolean}} command */
    async pose({ begins }) {
      stilled.still(begins);
      await posing.pose(begins);
    },
    /** @param {{index: number}} command */
    frame: ({ index }) => pageData.frameOffset(index),
    /** @param {{whole: boolean}} command */
    async collect({ whole }) {
      const unshown = await localFrames.show();
      const looked = await pageData.collect(whole, (/** @type {any[]} */ roots) => animations.show(roots));
      for (let i = 0; i < unshown.length; i += 1) {
        append(looked.missing, unshown[i]);
      }
      const missed = waiting.missed();
      for (let i = 0; i < missed.length; i += 1) {
        append(looked.missing, missed[i]);
      }
      return { ...looked, moves: stilled.isNeeded() };
    },
    unheard: () => ({ addresses: pageData.unheard() }),
    /** @param {{texts: [string, string | null][]}} command */
    sheets({ texts }) {
      for (let i = 0; i < texts.length; i += 1) {
        pageData.learn(texts[i][0], texts[i][1]);
      }
    },
  });
}
