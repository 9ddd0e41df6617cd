/** What no driver brings, and we give: what an input method does, and files that are chosen in a window of the browser's own. */
import { charCode, fromBase64, indexOf, slice } from '../natives.js';

/**
 * Given by us, whatever the browser brings.
 * @param {any} what
 */
export function isMade({ type, data }) {
  return slice(type, 0, 11) === 'composition' || indexOf(data?.inputType ?? '', 'Composition') > 0 || data?.files !== undefined;
}

/**
 * @param {{realm: import('./realm.js').ReplayRealm, log: import('./log.js').Log, targets: import('./targets.js').Targets}} parts
 * @param {import('./log.js').Logged} logged
 * @param {any} target
 */
export function setLoggedValue({ realm, log, targets }, logged, target) {
  // What stands in files is read after both events that tell of them.
  const chosen = logged.what.type === 'input' ? log.nextDom('change', (located) => targets.is(located, target)) : undefined;
  const read = chosen?.what.data?.files ? chosen : logged;
  setValue(realm, target, logged, read.local.answer);
}

/**
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {any} target
 * @param {import('./log.js').Logged} logged
 * @param {any[]} [answers]
 */
function setValue(realm, target, { what }, answers) {
  const { type, data = {} } = what;
  if (type !== 'input' && type !== 'change') {
    return;
  }
  if (data.files) {
    target.files = filesOf(realm, answers ?? []);
  }
  if (data.checked !== undefined) {
    target.checked = data.checked;
  }
  if (data.value !== undefined && target.value !== data.value) {
    realm.setValue(target, data.value);
  }
  for (let i = 0; data.selected && i < target.options.length; i += 1) {
    let selected = false;
    for (let k = 0; k < data.selected.length; k += 1) {
      selected ||= data.selected[k] === i;
    }
    target.options[i].selected = selected;
  }
}

/**
 * The files that a person chose, with what stood in them.
 * @param {import('./realm.js').ReplayRealm} realm
 * @param {any[]} answers
 */
function filesOf({ global, interfaces }, answers) {
  const { DataTransfer, File } = interfaces;
  const transfer = new DataTransfer();
  /** The one that was read first need not be the first. @type {any[]} */
  const files = [];
  for (let i = 0; i < answers.length; i += 1) {
    if (answers[i][0] === 'File.content') {
      const { name, type, lastModified, at = files.length, data = '' } = answers[i][1];
      const binary = fromBase64(slice(data, indexOf(data, ',') + 1));
      const bytes = new global.Uint8Array(binary.length);
      for (let k = 0; k < binary.length; k += 1) {
        bytes[k] = charCode(binary, k);
      }
      files[at] = new File([bytes], name, { type, lastModified });
    }
  }
  for (let i = 0; i < files.length; i += 1) {
    if (files[i]) {
      transfer.items.add(files[i]);
    }
  }
  return transfer.files;
}
