/**
 * Images that a style sheet brings: icons, backgrounds, bullets. No engine tells when they have come, but an `img` of the
 * same address shares the document's copy of it, and that one tells. Whether they are there when the picture is taken
 * must not depend on how fast they come.
 */
import { append, getOwnPropertyDescriptor, indexOf, newMap, slice, uncurry } from '../natives.js';

const QUOTED = 'url("';

/**
 * @param {import('../collect/dom.js').Dom} dom
 * @param {any} global
 */
export function createStyleImages(dom, global) {
  const { Image } = global;
  const setSource = uncurry(/** @type {any} */ (getOwnPropertyDescriptor(global.HTMLImageElement.prototype, 'src')).set);
  /** @type {Map<string, boolean>} addresses that were waited for, in vain or not */
  const known = newMap();

  /** @param {string} address */
  async function decoded(address) {
    const image = new Image();
    setSource(image, address);
    try {
      await dom.decodeImage(image);
    } catch {
      // A broken image is not painted, this time and every time.
    }
  }

  return {
    /**
     * @param {[number, [string, string][]][]} styles as page data carries them, the new ones
     * @param {(run: () => void, milliseconds: number) => void} after
     * @param {number} deadline in milliseconds
     * @returns {Promise<string[]>} what was waited for in vain
     */
    async wait(styles, after, deadline) {
      const addresses = unknownIn(styles);
      /** @type {boolean[]} */
      const came = [];
      /** @type {string[]} */
      const missing = [];
      if (addresses.length === 0) {
        return missing;
      }
      let open = addresses.length;
      await dom.makePromise((done) => {
        after(done, deadline);
        for (let i = 0; i < addresses.length; i += 1) {
          const settled = () => {
            came[i] = true;
            open -= 1;
            if (open === 0) {
              done();
            }
          };
          dom.then(decoded(addresses[i]), settled, settled);
        }
      });
      for (let i = 0; i < addresses.length; i += 1) {
        if (!came[i]) {
          append(missing, 'image ' + addresses[i]);
        }
      }
      return missing;
    },
  };

  /** @param {[number, [string, string][]][]} styles */
  function unknownIn(styles) {
    /** @type {string[]} */
    const found = [];
    for (let i = 0; i < styles.length; i += 1) {
      const properties = styles[i][1];
      for (let k = 0; k < properties.length; k += 1) {
        if (isOfImages(properties[k][0])) {
          addressesIn(properties[k][1], found);
        }
      }
    }
    return found;
  }

  /**
   * @param {string} value as computed: addresses are absolute and quoted
   * @param {string[]} found
   */
  function addressesIn(value, found) {
    for (let at = indexOf(value, QUOTED); at >= 0; at = indexOf(value, QUOTED)) {
      const rest = slice(value, at + QUOTED.length);
      const end = indexOf(rest, '")');
      const address = slice(rest, 0, end);
      if (end > 0 && !known.has(address)) {
        known.set(address, true);
        append(found, address);
      }
      value = rest;
    }
  }
}

/** `filter` and `clip-path`, too, have addresses, but not of images. @param {string} property */
function isOfImages(property) {
  return indexOf(property, 'image') >= 0 || indexOf(property, 'content') >= 0;
}
