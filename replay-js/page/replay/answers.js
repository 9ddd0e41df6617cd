/**
 * Answers without a list of their own, found by what was asked. What a dialog says is compared; how often a page asks
 * whether it is on line is no difference, and asked once more than it was recorded, it is told what this browser says.
 */
import { append, indexOf, newWeakMap, slice } from '../natives.js';

/** @param {import('./findings.js').Findings} findings */
export function createAnswers(findings) {
  /** @type {WeakMap<any, boolean[]>} which of an event's answers have been given */
  const given = newWeakMap();

  /** @param {any} answers */
  function givenOf(answers) {
    let list = given.get(answers);
    if (!list) {
      list = [];
      for (let i = 0; i < answers.length; i += 1) {
        append(list, false);
      }
      given.set(answers, list);
    }
    return list;
  }

  /**
   * @param {any} answers
   * @param {(api: string) => boolean} fits
   */
  function take(answers, fits) {
    const used = givenOf(answers);
    for (let i = 0; i < answers.length; i += 1) {
      if (!used[i] && fits(answers[i][0])) {
        used[i] = true;
        return answers[i];
      }
    }
    return undefined;
  }

  return {
    /**
     * @param {import('./engine.js').Current} event
     * @param {string} api
     * @param {boolean} isDialog
     */
    next(event, api, isDialog) {
      const answers = event.logged?.local.answer ?? [];
      const same = take(answers, (known) => known === api);
      if (same || !isDialog) {
        return same;
      }
      const other = take(answers, (known) => kindOf(known) === kindOf(api)) ?? take(answers, (known) => !isAttribute(known));
      if (event.logged) {
        findings.diverged(event.id, 'dialog-differs', other ? other[0] : 'no dialog', api);
      }
      return other;
    },
    /**
     * Dialogs that the recording has and that were not opened.
     * @param {number} id
     * @param {any} local
     */
    unused(id, local) {
      const answers = local.answer ?? [];
      for (let other = take(answers, (known) => !isAttribute(known)); other; other = take(answers, (known) => !isAttribute(known))) {
        findings.diverged(id, 'dialog-differs', other[0], 'no dialog');
      }
    },
  };
}

/** `confirm` of `confirm: sure?`. @param {string} api */
function kindOf(api) {
  const end = indexOf(api, ':');
  return end < 0 ? api : slice(api, 0, end);
}

/** `Navigator.onLine`, `performance.timeOrigin`. @param {string} api */
function isAttribute(api) {
  return kindOf(api) === api && indexOf(api, '.') > 0;
}
