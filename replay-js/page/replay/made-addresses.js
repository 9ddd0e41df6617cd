/** Addresses of what the page has made itself: another one each time, whatever it is that they lead to. */
import { slice } from '../natives.js';

const BLOB = 'blob:';
const PICTURE = 'data:image/';

/** The browser makes these up, or makes them of what the page has drawn. @param {string | undefined} address */
export function isMadeAddress(address) {
  return address !== undefined && (isOfBlob(address) || slice(address, 0, PICTURE.length) === PICTURE);
}

/** As much of it as is the same each time. @param {string} address */
export function addressText(address) {
  return isOfBlob(address) ? BLOB : address;
}

/** @param {string} address */
function isOfBlob(address) {
  return slice(address, 0, BLOB.length) === BLOB;
}
