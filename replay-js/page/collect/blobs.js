// Addresses that a page makes for its own data are made up anew each time: they go by the order in which they were seen.

import { slice } from '../natives.js';

/** @param {import('./dom.js').Dom} dom */
export function createBlobNames(dom) {
  const names = dom.makeMap();
  let count = 0;

  /** @param {string} address */
  function nameOf(address) {
    let name = dom.mapGet(names, address);
    if (name === undefined) {
      name = 'blob:' + ++count;
      dom.mapSet(names, address, name);
    }
    return name;
  }

  /** A value with such addresses named. @param {string} value */
  return function named(value) {
    if (dom.findText(value, 'blob:') < 0) return value;
    const address = /blob:[^\s"'(),]*[0-9a-f]{8}-[0-9a-f-]{27}/g;
    let text = '', from = 0;
    for (let match = dom.exec(address, value); match; match = dom.exec(address, value)) {
      text += slice(value, from, match.index) + nameOf(match[0]);
      from = match.index + match[0].length;
    }
    return text + slice(value, from, value.length);
  };
}
