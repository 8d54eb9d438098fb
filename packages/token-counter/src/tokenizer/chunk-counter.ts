/** Counts raw text: normalizes it chunk by chunk and counts the pre-tokens, with frame rules at the ends. */
import type { TextFrame } from './families.ts';
import { SPACE_CHARACTER, LINE_FEED } from './markers.ts';
import { createRunBuffer, splitRuns, normalize } from './normalize.ts';
import { createPretokenCounter } from './pretokenizer.ts';
import { chunkEnd } from './split-points.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Units of a chunk. Its memory fits the L1 cache, and one unusual character slows down few others. */
const CHUNK_LENGTH = 1 << 12;

const AT_START = { hasFrameSpace: false, isAfterClose: false };
const AT_START_IN_FRAME = { hasFrameSpace: true, isAfterClose: false };
const AFTER_SPLIT = { hasFrameSpace: false, isAfterClose: true };

export interface ChunkCounter {
  /** Returns the tokens of `text[from … to)`, which begins and ends at a split point. */
  countInterior(text: string, from: number, to: number): number;
  /**
   * Returns the tokens of a text at the beginning or end of the prompt's content, as `ends` states. Its other ends are
   * split points.
   */
  countBoundary(text: string, frame: TextFrame, ends: { readonly first: boolean; readonly last: boolean }): number;
}

export function createChunkCounter(vocabulary: Vocabulary): ChunkCounter {
  const countPretokens = createPretokenCounter(vocabulary);
  const { unitFlags } = vocabulary;
  const runs = createRunBuffer(CHUNK_LENGTH + (CHUNK_LENGTH >> 1));

  function countInterior(text: string, from: number, to: number): number {
    let total = 0;
    for (let start = from; start < to;) {
      const end = chunkEnd(text, start, to, CHUNK_LENGTH);
      normalize(text, start, end, vocabulary, runs);
      total += countPretokens(runs, AFTER_SPLIT);
      start = end;
    }
    return total;
  }

  function countBoundary(
    text: string,
    frame: TextFrame,
    { first, last }: { readonly first: boolean; readonly last: boolean },
  ): number {
    normalize(text, 0, last && frame.trimsEnd ? findTrimmedEnd(text) : text.length, vocabulary, runs);
    const lineFeeds = last && frame.closingLineFeeds !== undefined ? countTrailingLineFeeds() : 0;
    const tail = lineFeeds === 0 ? 0 : vocabulary.lineFeeds(lineFeeds + frame.closingLineFeeds!) - 1;
    const end = runs.length - lineFeeds;
    const start = first && frame.providesLeadingSpace && beginsWithFrameSpace(text, end) ? 1 : 0;
    if (start !== 0 || end !== runs.length) splitRuns(runs, start, end, unitFlags);
    if (!first) return tail + countPretokens(runs, AFTER_SPLIT);
    if (!frame.providesLeadingSpace) return tail + countPretokens(runs, AT_START);
    return tail + (start === end ? 1 : countPretokens(runs, AT_START_IN_FRAME));
  }

  function countTrailingLineFeeds(): number {
    let end = runs.length;
    while (end > 0 && runs.units[end - 1] === LINE_FEED) end--;
    return runs.length - end;
  }

  /**
   * Returns whether one typed space begins the text, which then belongs to the frame. A space from normalization does
   * not.
   */
  function beginsWithFrameSpace(text: string, end: number): boolean {
    const { units } = runs;
    return (
      text.charCodeAt(0) === SPACE_CHARACTER &&
      units[0] === SPACE_CHARACTER &&
      (end === 1 || units[1] !== SPACE_CHARACTER)
    );
  }

  return { countInterior, countBoundary };
}

function findTrimmedEnd(text: string): number {
  let end = text.length;
  for (; end > 0; end--) {
    const unit = text.charCodeAt(end - 1);
    if (unit !== SPACE_CHARACTER && !(unit >= 0x09 && unit <= 0x0d)) break;
  }
  return end;
}
