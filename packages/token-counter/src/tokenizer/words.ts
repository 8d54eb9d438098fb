/** Counts words. A word's count depends on nothing around it, so it is computed once and cached. */
import { CAPITAL, CAPITAL_WITHOUT_LOWER, casingOf, LOWER, lowerOf, NO_LETTER } from './characters.ts';
import { ALL_CAPS, CAPITALISED, CLOSE, OPEN, WORD_MARKERS } from './markers.ts';
import type { Runs } from './normalise.ts';
import { MAX_KEY, type TokenCountCache } from './token-count-cache.ts';
import type { Segmenter } from './viterbi-segmentation.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Returns a function that counts the word `text.units[start … end)`. */
export function createWordCounter(vocabulary: Vocabulary, segment: Segmenter, cache: TokenCountCache) {
  let marked = new Uint16Array(256);

  function segmentWord(units: Uint16Array, start: number, end: number): number {
    if (marked.length < end - start + 3) marked = new Uint16Array(2 * (end - start) + 3);
    return segment(marked, writeWord(units, start, end, vocabulary.older, marked));
  }

  return (text: Runs, start: number, end: number): number => {
    const length = end - start;
    if (length > MAX_KEY) return segmentWord(text.units, start, end);
    const cached = cache.get(text.view, start, length, WORD_MARKERS);
    if (cached !== -1) return cached;
    const count = segmentWord(text.units, start, end);
    cache.put(text.view, start, length, WORD_MARKERS, count);
    return count;
  };
}

const SHARP_S = 0x1e9e;
const DOTTED_I = 0x0130;
const MIN_ALL_CAPS = 4;

/** Writes a word with its markers to `marked`, which has room for three units more, and returns the length. */
function writeWord(units: Uint16Array, start: number, end: number, allCaps: boolean, marked: Uint16Array): number {
  const marker = caseMarker(units, start, end, allCaps);
  let length = 0;
  if (marker !== 0) marked[length++] = marker;
  marked[length++] = OPEN;
  if (marker === 0) for (let k = start; k < end; k++) marked[length++] = units[k]!;
  else for (let k = start; k < end; k++) marked[length++] = lowerOf[units[k]!]!;
  marked[length++] = CLOSE;
  return length;
}

/** CAPITALISED or ALL_CAPS for a word that is written in lower case behind that marker, 0 for one that is not. */
function caseMarker(units: Uint16Array, start: number, end: number, allCaps: boolean): number {
  let capitals = 0;
  let dotted = 0;
  let lower = 0;
  let uncased = 0;
  for (let k = start; k < end; k++) {
    const unit = units[k]!;
    const casing = casingOf[unit]!;
    if (casing === LOWER) lower++;
    else if (casing === CAPITAL) {
      if (unit === DOTTED_I) dotted++;
      else capitals++;
    } else if (casing !== NO_LETTER) {
      uncased++;
      if (casing === CAPITAL_WITHOUT_LOWER) capitals++;
    }
    if (unit === SHARP_S) return 0;
  }
  const first = units[start]!;
  const casing = casingOf[first]!;
  const startsCapital = casing === CAPITAL && first !== DOTTED_I;
  if (dotted > 0) return capitals === 1 && (startsCapital || casing === CAPITAL_WITHOUT_LOWER) ? CAPITALISED : 0;
  if (allCaps && end - start >= MIN_ALL_CAPS && capitals > 0 && lower === 0 && uncased === 0) return ALL_CAPS;
  return startsCapital && capitals === 1 ? CAPITALISED : 0;
}
