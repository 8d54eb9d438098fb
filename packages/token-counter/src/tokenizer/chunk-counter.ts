/** Counts raw text: normalises it chunk by chunk and counts the pre-tokens, with the rules of a frame at the ends. */
import type { Frame } from './families.ts';
import { BLANK, LINE_FEED } from './markers.ts';
import { createRuns, cutRuns, normalise } from './normalise.ts';
import { createPretokenCounter } from './pretokenizer.ts';
import { chunkEnd } from './split-points.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Units of a chunk: its memory fits the processor's first cache, and one odd character slows few others down. */
const CHUNK = 1 << 12;

const AT_START = { frame: false, closed: false };
const AT_START_IN_FRAME = { frame: true, closed: false };
const AFTER_SPLIT = { frame: false, closed: true };

export interface ChunkCounter {
  /** Tokens of `text[from … to)`, which begins and ends at a split point. */
  countInterior(text: string, from: number, to: number): number;
  /** Tokens of a text that begins the prompt's content or ends it, as `ends` says, and has split points elsewhere. */
  countBoundary(text: string, frame: Frame, ends: { readonly first: boolean; readonly last: boolean }): number;
}

export function createChunkCounter(vocabulary: Vocabulary): ChunkCounter {
  const countPretokens = createPretokenCounter(vocabulary);
  const { traits } = vocabulary;
  const chunk = createRuns(CHUNK + (CHUNK >> 1));

  function countInterior(text: string, from: number, to: number): number {
    let total = 0;
    for (let start = from; start < to;) {
      const end = chunkEnd(text, start, to, CHUNK);
      normalise(text, start, end, vocabulary, chunk);
      total += countPretokens(chunk, AFTER_SPLIT);
      start = end;
    }
    return total;
  }

  function countBoundary(
    text: string,
    frame: Frame,
    { first, last }: { readonly first: boolean; readonly last: boolean },
  ): number {
    normalise(text, 0, last && frame.trimsEnd ? trimmedEnd(text) : text.length, vocabulary, chunk);
    const lineFeeds = last && frame.closingLineFeeds !== undefined ? trailingLineFeeds() : 0;
    const tail = lineFeeds === 0 ? 0 : vocabulary.lineFeeds(lineFeeds + frame.closingLineFeeds!) - 1;
    const end = chunk.length - lineFeeds;
    const start = first && frame.handsBlank && beginsWithFrameSpace(text, end) ? 1 : 0;
    if (start !== 0 || end !== chunk.length) cutRuns(chunk, start, end, traits);
    if (!first) return tail + countPretokens(chunk, AFTER_SPLIT);
    if (!frame.handsBlank) return tail + countPretokens(chunk, AT_START);
    return tail + (start === end ? 1 : countPretokens(chunk, AT_START_IN_FRAME));
  }

  function trailingLineFeeds(): number {
    let end = chunk.length;
    while (end > 0 && chunk.units[end - 1] === LINE_FEED) end--;
    return chunk.length - end;
  }

  /** Whether one typed space begins the text, which is then the frame's. A space made by normalisation is not. */
  function beginsWithFrameSpace(text: string, end: number): boolean {
    const { units } = chunk;
    return text.charCodeAt(0) === BLANK && units[0] === BLANK && (end === 1 || units[1] !== BLANK);
  }

  return { countInterior, countBoundary };
}

function trimmedEnd(text: string): number {
  let end = text.length;
  for (; end > 0; end--) {
    const unit = text.charCodeAt(end - 1);
    if (unit !== BLANK && !(unit >= 0x09 && unit <= 0x0d)) break;
  }
  return end;
}
