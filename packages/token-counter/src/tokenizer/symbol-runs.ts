/** Counts runs of symbols: punctuation, marks, numbers and other characters between words and white space. */
import { CLOSE, CLOSE_MARKER, OPEN, OPEN_MARKER } from './markers.ts';
import type { RunBuffer } from './normalize.ts';
import { createRepeatedUnitCounter, isRepeatedUnit } from './repeated-unit.ts';
import { MAX_KEY_LENGTH, type TokenCountCache } from './token-count-cache.ts';
import type { Segmenter } from './viterbi-segmentation.ts';
import { JOINS_NEXT, JOINS_PREVIOUS, type Vocabulary } from './vocabulary.ts';

const ASCII_COUNT = 0x80;
/** Maximum length of a run that is looked up as a whole, which is faster than splitting it. */
const MAX_UNSPLIT_LENGTH = 3;

/** Counts the symbols `text.units[start … end)` with these markers around them. */
type CountSymbols = (runs: RunBuffer, start: number, end: number, markers: number) => number;

export function createSymbolRunCounter(
  vocabulary: Vocabulary,
  segment: Segmenter,
  cache: TokenCountCache,
): {
  /** Counts a run, or adds it to the batch of the cache (at most one key) and returns 0. */
  countOrEnqueue: CountSymbols;
  /** Counts a run that no vocabulary piece joins to another one. The batch of the cache did not find it. */
  countUnsplit: CountSymbols;
} {
  const { joinFlags } = vocabulary;
  const countRepeated = createRepeatedUnitCounter(vocabulary);
  let marked = new Uint16Array(256);

  function segmentMarked(units: Uint16Array, start: number, end: number, markers: number): number {
    if (marked.length < end - start + 2) marked = new Uint16Array(2 * (end - start) + 2);
    let length = 0;
    if ((markers & OPEN_MARKER) !== 0) marked[length++] = OPEN;
    for (let k = start; k < end; k++) marked[length++] = units[k]!;
    if ((markers & CLOSE_MARKER) !== 0) marked[length++] = CLOSE;
    return segment(marked, length);
  }

  // Single ASCII characters are the most frequent runs, so their counts with all markers are precomputed.
  const asciiCounts = new Uint8Array(4 * ASCII_COUNT);
  const singleUnit = new Uint16Array(1);
  for (let markers = 0; markers < 4; markers++)
    for (let unit = 0; unit < ASCII_COUNT; unit++) {
      singleUnit[0] = unit;
      asciiCounts[markers * ASCII_COUNT + unit] = segmentMarked(singleUnit, 0, 1, markers);
    }

  function countUnsplit(runs: RunBuffer, start: number, end: number, markers: number): number {
    const length = end - start;
    if (length > MAX_KEY_LENGTH)
      return isRepeatedUnit(runs.units, start, end)
        ? countRepeated(runs.units[start]!, length, markers)
        : segmentMarked(runs.units, start, end, markers);
    const cached = cache.get(runs.view, start, length, markers);
    if (cached !== -1) return cached;
    const count = segmentMarked(runs.units, start, end, markers);
    cache.put(runs.view, start, length, markers, count);
    return count;
  }

  /**
   * Returns whether a piece may contain both the unit before `at` and the one at `at`. Surrogate pairs are never split.
   */
  function canJoin(units: Uint16Array, at: number): boolean {
    const left = units[at - 1]!;
    if ((left & 0xfc00) === 0xd800) return true;
    return (joinFlags[left]! & JOINS_NEXT) !== 0 && (joinFlags[units[at]!]! & JOINS_PREVIOUS) !== 0;
  }

  function countOrEnqueue(runs: RunBuffer, start: number, end: number, markers: number): number {
    const { units } = runs;
    if (end === start + 1 && units[start]! < ASCII_COUNT) return asciiCounts[markers * ASCII_COUNT + units[start]!]!;
    if (end - start <= MAX_UNSPLIT_LENGTH) {
      cache.enqueue(start, end - start, markers);
      return 0;
    }
    let count = 0;
    for (let from = start; from < end;) {
      let to = from + 1;
      while (to < end && canJoin(units, to)) to++;
      const chunkMarkers = (from === start ? markers & OPEN_MARKER : 0) | (to === end ? markers & CLOSE_MARKER : 0);
      count += countUnsplit(runs, from, to, chunkMarkers);
      from = to;
    }
    return count;
  }

  return { countOrEnqueue, countUnsplit };
}
