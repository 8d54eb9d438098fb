/** Counts words. The count of a word does not depend on its context, so it is computed once and cached. */
import { CAPITAL, CAPITAL_WITHOUT_LOWER, unitCasing, LOWER, unitLowerCase, NO_LETTER } from './characters.ts';
import { ALL_CAPS, CAPITALIZED, CLOSE, OPEN, WORD_MARKERS } from './markers.ts';
import type { RunBuffer } from './normalize.ts';
import { MAX_KEY_LENGTH, type TokenCountCache } from './token-count-cache.ts';
import type { Segmenter } from './viterbi-segmentation.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Returns a function that counts the word `text.units[start … end)`. */
export function createWordCounter(vocabulary: Vocabulary, segment: Segmenter, cache: TokenCountCache) {
  let marked = new Uint16Array(256);

  function segmentWord(units: Uint16Array, start: number, end: number): number {
    if (marked.length < end - start + 3) marked = new Uint16Array(2 * (end - start) + 3);
    return segment(marked, writeWord(units, start, end, vocabulary.isV3, marked));
  }

  return (runs: RunBuffer, start: number, end: number): number => {
    const length = end - start;
    if (length > MAX_KEY_LENGTH) return segmentWord(runs.units, start, end);
    const cached = cache.get(runs.view, start, length, WORD_MARKERS);
    if (cached !== -1) return cached;
    const count = segmentWord(runs.units, start, end);
    cache.put(runs.view, start, length, WORD_MARKERS, count);
    return count;
  };
}

const SHARP_S = 0x1e9e;
const DOTTED_I = 0x0130;
const MIN_ALL_CAPS = 4;

/** Writes a word with its markers to `marked`, which has room for three more units, and returns the length. */
function writeWord(units: Uint16Array, start: number, end: number, allCaps: boolean, marked: Uint16Array): number {
  const marker = getCaseMarker(units, start, end, allCaps);
  let length = 0;
  if (marker !== 0) marked[length++] = marker;
  marked[length++] = OPEN;
  if (marker === 0) for (let k = start; k < end; k++) marked[length++] = units[k]!;
  else for (let k = start; k < end; k++) marked[length++] = unitLowerCase[units[k]!]!;
  marked[length++] = CLOSE;
  return length;
}

/** Returns CAPITALIZED or ALL_CAPS for a word that is written in lower case after that marker, or else 0. */
function getCaseMarker(units: Uint16Array, start: number, end: number, allCaps: boolean): number {
  let capitalCount = 0;
  let dottedCount = 0;
  let lowerCount = 0;
  let uncasedCount = 0;
  for (let k = start; k < end; k++) {
    const unit = units[k]!;
    const casing = unitCasing[unit]!;
    if (casing === LOWER) lowerCount++;
    else if (casing === CAPITAL) {
      if (unit === DOTTED_I) dottedCount++;
      else capitalCount++;
    } else if (casing !== NO_LETTER) {
      uncasedCount++;
      if (casing === CAPITAL_WITHOUT_LOWER) capitalCount++;
    }
    if (unit === SHARP_S) return 0;
  }
  const first = units[start]!;
  const casing = unitCasing[first]!;
  const startsCapital = casing === CAPITAL && first !== DOTTED_I;
  if (dottedCount > 0)
    return capitalCount === 1 && (startsCapital || casing === CAPITAL_WITHOUT_LOWER) ? CAPITALIZED : 0;
  if (allCaps && end - start >= MIN_ALL_CAPS && capitalCount > 0 && lowerCount === 0 && uncasedCount === 0)
    return ALL_CAPS;
  return startsCapital && capitalCount === 1 ? CAPITALIZED : 0;
}
