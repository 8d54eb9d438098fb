/**
 * Splits normalized text into pre-tokens (words, white space, symbols and single characters), determines the markers at
 * their boundaries, and adds up their token counts.
 */
import { MAX_BATCH, MAX_SHORT_KEY_LENGTH } from './batched-lookup.ts';
import { unitClass, DECIMAL, EDGED, OTHER_NUMBER, SELECTOR, WORD } from './characters.ts';
import { APOSTROPHE, SPACE_CHARACTER, CLOSE_MARKER, LINE_FEED, OPEN_MARKER, TAB, WORD_MARKERS } from './markers.ts';
import { createRunBuffer, type RunBuffer } from './normalize.ts';
import { RUN_ASTRAL, RUN_DIGITS, RUN_LONE, RUN_MASK, RUN_SPACE, RUN_WORD } from './run-kinds.ts';
import { createSymbolRunCounter } from './symbol-runs.ts';
import { createTokenCountCache } from './token-count-cache.ts';
import { createSegmenter } from './viterbi-segmentation.ts';
import type { Vocabulary } from './vocabulary.ts';
import { createWordCounter } from './words.ts';

/** The end of the prompt before the text. */
interface PrecedingContext {
  /** A space that is the opening marker of the first pre-token: the start of a message in the older families. */
  readonly hasFrameSpace: boolean;
  /** A closing marker. */
  readonly isAfterClose: boolean;
}

/**
 * Returns a function that counts all pre-tokens of a text. Between two runs it has this state:
 *
 * | after                                | afterClose     | afterSpace | pendingSpace                        |
 * |--------------------------------------|----------------|------------|-------------------------------------|
 * | a word                               | true           | false      | 0                                   |
 * | white space                          | false          | ends in ␣  | 1 if it is one ␣ after a closing marker |
 * | digits, single characters            | false          | false      | 0                                   |
 * | symbols                              | if they close  | false      | 0                                   |
 *
 * A pending space is a counted token that is subtracted if an opening marker follows, because the two markers then
 * imply the space.
 */
export function createPretokenCounter(
  vocabulary: Vocabulary,
): (text: RunBuffer, preceding: PrecedingContext) => number {
  const { unitFlags, spaces, lineFeeds, tabs, ideographicSpaces } = vocabulary;
  const { unit: unitCost, astral: astralCost } = vocabulary.costs;
  const segment = createSegmenter(vocabulary);
  const cache = createTokenCountCache();
  const countWord = createWordCounter(vocabulary, segment, cache);
  const symbolRuns = createSymbolRunCounter(vocabulary, segment, cache);

  // Create this callback once for all texts, so that the compiler can inline it.
  let currentRuns = createRunBuffer(0);
  const onMiss = (start: number, length: number, markers: number): number =>
    markers === WORD_MARKERS
      ? countWord(currentRuns, start, start + length)
      : symbolRuns.countUnsplit(currentRuns, start, start + length, markers);

  /** Counts white space. No piece mixes white space with other text, or two kinds of white space. */
  function countSpaces(units: Uint16Array, start: number, end: number): number {
    let count = 0;
    for (let from = start; from < end;) {
      const unit = units[from]!;
      let to = from + 1;
      while (to < end && units[to] === unit) to++;
      if (to === from + 1) count++;
      else if (unit === SPACE_CHARACTER) count += spaces(to - from);
      else if (unit === LINE_FEED) count += lineFeeds(to - from);
      else if (unit === TAB) count += tabs(to - from);
      else count += ideographicSpaces(to - from);
      from = to;
    }
    return count;
  }

  function countLone(units: Uint16Array, start: number, end: number): number {
    let count = 0;
    for (let k = start; k < end; k++) count += unitCost[units[k]!]!;
    return count;
  }

  function countAstral(units: Uint16Array, start: number, end: number): number {
    let count = 0;
    for (let k = start; k < end; k += 2)
      count += astralCost[(((units[k]! & 0x3ff) << 10) + (units[k + 1]! & 0x3ff) + 0x10000) >> 6]!;
    return count;
  }

  return (runs, preceding) => {
    const { units, starts, count } = runs;
    const from = starts[0]!;
    let total = 0;
    let afterClose = preceding.isAfterClose;
    let afterSpace = preceding.hasFrameSpace;
    let pendingSpace = 0;
    currentRuns = runs;
    let flushedRuns = 0;
    for (let run = 0; run < count; run++) {
      // A run adds at most one key to the batch.
      if (run - flushedRuns >= MAX_BATCH) {
        total += cache.flush(runs.view, onMiss);
        flushedRuns = run;
      }
      const start = starts[run]!;
      const end = starts[run + 1]!;
      const kind = unitFlags[units[start]!]! & RUN_MASK;
      const takesFrameSpace = run === 0 && preceding.hasFrameSpace;
      if (kind === RUN_WORD) {
        if (end - start <= MAX_SHORT_KEY_LENGTH) cache.enqueue(start, end - start, WORD_MARKERS);
        else total += countWord(runs, start, end);
        total -= pendingSpace;
        pendingSpace = 0;
        afterClose = true;
        afterSpace = false;
        // The most frequent boundary: the space between two words costs nothing.
        if (units[end] === SPACE_CHARACTER && unitClass[units[end + 1]!] === WORD) run++;
      } else if (kind === RUN_SPACE) {
        if (takesFrameSpace && units[start] !== SPACE_CHARACTER) total++;
        total += countSpaces(units, start, end);
        pendingSpace = afterClose && end === start + 1 && units[start] === SPACE_CHARACTER ? 1 : 0;
        afterClose = false;
        afterSpace = units[end - 1] === SPACE_CHARACTER;
      } else if (kind <= RUN_ASTRAL) {
        if (takesFrameSpace) total++;
        // Every ASCII digit string of up to three digits is a piece, and no other piece contains a digit.
        if (kind === RUN_DIGITS) total += Math.ceil((end - start) / 3);
        else total += kind === RUN_LONE ? countLone(units, start, end) : countAstral(units, start, end);
        pendingSpace = 0;
        afterClose = false;
        afterSpace = false;
      } else {
        const apostrophe = units[end - 1] === APOSTROPHE && unitClass[units[end]!] === WORD;
        const beginsWord = apostrophe && end === start + 1;
        let last = end;
        let markers = 0;
        if (afterSpace && !beginsWord && (takesFrameSpace || takesMarker(units, start, 1, from))) markers = OPEN_MARKER;
        else if (takesFrameSpace) total++;
        if (units[end] === SPACE_CHARACTER && units[end + 1] !== SPACE_CHARACTER) {
          if (takesMarker(units, end - 1, -1, from)) markers |= CLOSE_MARKER;
        } else if (apostrophe && isContraction(units, end, starts[run + 2]!, from)) {
          // `'s` is one pre-token: the word has no opening marker.
          last = starts[++run + 1]!;
          markers |= CLOSE_MARKER;
        }
        total += symbolRuns.countOrEnqueue(runs, start, last, markers);
        if ((markers & OPEN_MARKER) !== 0) total -= pendingSpace;
        pendingSpace = 0;
        afterClose = (markers & CLOSE_MARKER) !== 0;
        afterSpace = false;
      }
    }
    return total + cache.flush(runs.view, onMiss);
  };
}

/** Returns whether a marker may be at the outer end `at` of symbols. `step` points inward. */
function takesMarker(units: Uint16Array, at: number, step: number, from: number): boolean {
  const kind = unitClass[units[at]!]!;
  if (kind < EDGED) return false;
  return (kind !== DECIMAL && kind !== OTHER_NUMBER) || isUniformBlock(units, at, step, from);
}

/**
 * Returns whether the block of numbers at the outer end `at` has one kind. A block is a number and all numbers and
 * selectors after it. Selectors before its first number are not part of it.
 */
function isUniformBlock(units: Uint16Array, at: number, step: number, from: number): boolean {
  const kind = unitClass[units[at]!]!;
  let hasSelectors = false;
  for (let k = at + step; k >= from; k += step) {
    const next = unitClass[units[k]!]!;
    if (next < SELECTOR) break;
    if (next === SELECTOR) {
      if (step > 0) return false;
      hasSelectors = true;
    } else if (hasSelectors || next !== kind) return false;
  }
  return true;
}

/**
 * Returns whether the word `units[start … end)` continues the preceding apostrophe, as in `it's`. Returns false if
 * symbols that have a marker precede both.
 */
function isContraction(units: Uint16Array, start: number, end: number, from: number): boolean {
  return isContractedWord(units, start, end) && (start - 1 === from || mayPrecedeContraction(units, start - 2, from));
}

function mayPrecedeContraction(units: Uint16Array, at: number, from: number): boolean {
  const unit = units[at]!;
  // All other rules treat circled letters as words.
  if (unit >= 0x24b6 && unit <= 0x24e9) return false;
  return !takesMarker(units, at, -1, from);
}

/** Returns whether `units[start … end)` is exactly one of s, t, d, m, ll, re, ve. */
function isContractedWord(units: Uint16Array, start: number, end: number): boolean {
  const first = units[start]!;
  const second = units[start + 1]!;
  if (end - start === 1) return first === 0x73 || first === 0x74 || first === 0x64 || first === 0x6d;
  if (end - start !== 2) return false;
  return (first === 0x6c && second === 0x6c) || (second === 0x65 && (first === 0x72 || first === 0x76));
}
