/**
 * Ends transitions that begin anew however often they are ended, as in WebKit those of a box that hangs at an anchor do, each time its style is
 * asked for. It is done to these alone: WebKit may never come back from laying out a page in which a hidden popover that hangs at an anchor
 * has its transitions taken from it, while one within it goes on.
 */

const DOCUMENT_KIND = 9;

/**
 * What they lead to is there at once, while a style sheet of ours allows none; without it nothing moves back.
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {any[]} animations
 */
export function callOff(realm, animations) {
  let rules = '';
  for (let i = 0; i < animations.length; i += 1) {
    const { target, pseudoElement } = animations[i].effect;
    rules += selectorOf(target) + (pseudoElement ?? '') + ' { transition: none !important } ';
  }
  realm.layOutWith(rules);
}

/** That of this element and no other. A sheet of ours reaches into no shadow tree. @param {any} element */
function selectorOf(element) {
  let path = '';
  let at = element;
  for (; at.parentElement; at = at.parentElement) {
    let place = 1;
    for (let before = at.previousElementSibling; before; before = before.previousElementSibling) {
      place += 1;
    }
    path = ' > :nth-child(' + place + ')' + path;
  }
  return (at.parentNode?.nodeType === DOCUMENT_KIND ? ':root' : 'none') + path;
}
