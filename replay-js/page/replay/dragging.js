/**
 * Native drag and drop. Once a drag has begun the system leads it: the page hears of no pointer until it is over, and of
 * three drivers only one leads it to its end. So the browser is kept from beginning it, and what the log has of it is
 * given by script, with one `DataTransfer` from the beginning to the end, in all engines alike.
 */
const DRAG = { __proto__: null, drag: 1, dragstart: 1, dragenter: 1, dragover: 1, dragleave: 1, drop: 1, dragend: 1 };

/** What a browser makes of a button that is let go: of the drag's end the page has heard otherwise. */
const LETTING_GO = ['pointerup', 'mouseup', 'click'];

/**
 * To be called before anything else listens: what is stopped here, nobody hears.
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {import('./log.js').Log} log
 * @param {import('./pointer-numbers.js').NumberOf} numberOf
 */
export function createDragging(realm, log, numberOf) {
  const { global, interfaces } = realm;
  /** What the browser would have the drag carry by itself: a link's address, a selected text. */
  let offered = /** @type {any} */ (null);
  let carried = /** @type {any} */ (null);
  let lettingGo = false;
  let hasLetGo = false;

  /** A mouse loses its pointer to a drag and to nothing else. */
  const isTaken = (/** @type {any} */ what) => what.type === 'pointercancel' && (what.data?.pointer ?? 'mouse') === 'mouse';

  /** The log has a drag before the button is let go or pressed again. */
  function isDue() {
    const next = log.next(({ what }) => what.type === 'dragstart' || what.type === 'pointerup' || what.type === 'pointerdown' || isTaken(what));
    return next !== undefined && (next.what.type === 'dragstart' || isTaken(next.what));
  }

  /** @param {any} event */
  function stop(event) {
    realm.stopImmediatePropagation(event);
    realm.preventDefault(event);
  }

  realm.addEventListener(global, 'dragstart', (/** @type {any} */ event) => {
    if (event.isTrusted && isDue()) {
      offered = copyOf(event.dataTransfer);
      stop(event);
    }
  }, true);
  for (let i = 0; i < LETTING_GO.length; i += 1) {
    realm.addEventListener(global, LETTING_GO[i], (/** @type {any} */ event) => {
      if (event.isTrusted && lettingGo) {
        hasLetGo = true;
        stop(event);
      }
    }, true);
  }

  /** @param {any} given */
  function copyOf(given) {
    const copy = new interfaces.DataTransfer();
    const types = given?.types ?? [];
    for (let i = 0; i < types.length; i += 1) {
      try {
        if (types[i] !== 'Files') {
          copy.setData(types[i], given.getData(types[i]));
        }
      } catch {
        // Of a type that is the browser's own, as Firefox has for pictures.
      }
    }
    return copy;
  }

  return {
    /**
     * Whether this event is given by us when it is due, and not awaited of the input.
     * @param {any} what
     */
    gives: (what) => what.kind === 'dom' && (DRAG[/** @type {'drag'} */ (what.type)] === 1 || isTaken(what)),

    /**
     * @param {any} target
     * @param {any} what
     * @param {any} related
     */
    give(target, what, related) {
      if (isTaken(what)) {
        realm.dispatchEvent(target, new interfaces.PointerEvent(what.type, { __proto__: null, bubbles: true, pointerId: numberOf('mouse'), isPrimary: true, pointerType: 'mouse' }));
        return;
      }
      // A drag that the page refuses has no end: the next one carries nothing of it.
      if (what.type === 'dragstart') {
        carried = null;
      }
      carried ??= offered ?? new interfaces.DataTransfer();
      const { data = {} } = what;
      const bits = data.modifiers ?? 0;
      const init = {
        __proto__: null, bubbles: true, cancelable: what.type !== 'dragleave' && what.type !== 'dragend', composed: true, view: global,
        clientX: data.x, clientY: data.y, button: data.button, buttons: data.buttons, relatedTarget: related ?? null, dataTransfer: carried,
        altKey: (bits & 1) > 0, ctrlKey: (bits & 2) > 0, metaKey: (bits & 4) > 0, shiftKey: (bits & 8) > 0,
      };
      realm.dispatchEvent(target, new interfaces.DragEvent(what.type, init));
      offered = null;
      if (what.type === 'dragend') {
        carried = null;
      }
    },

    /**
     * What is said of an event that was given.
     * @param {any} what
     */
    noteOn: (what) => (what.type === 'dragstart' ? 'given by script, as all of the drag' + (offered === null ? '; this browser has not begun one itself' : '') : undefined),

    /**
     * The button of a drag is about to be let go, or something else is about to be done.
     * @param {any} what of the gesture
     */
    announce(what) {
      lettingGo = what !== undefined && isTaken(what);
      hasLetGo = false;
    },
    isOver: () => !lettingGo || hasLetGo,
  };
}

/** @typedef {ReturnType<typeof createDragging>} Dragging */
