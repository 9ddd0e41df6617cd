/** Argument lists without the page's iterators. */

/**
 * @param {any[]} given
 * @param {number} from
 */
export function sliceArguments(given, from) {
  const rest = [];
  for (let i = from; i < given.length; i += 1) {
    rest[i - from] = given[i];
  }
  return rest;
}
