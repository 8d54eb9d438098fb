/**
 * Counts a long text again after an edit, for example while someone types at its end. A text consists of chunks that end
 * at split points, so their counts add up. The counts of the newest text's chunks are kept, and only chunks that an edit
 * changed are counted again.
 */
import { chunkEnd, isSplitPoint } from './split-points.ts';

/** Units of a chunk. */
const CHUNK_LENGTH = 1 << 12;
/** Maximum length of the text that is kept. */
const MAX_KEPT_LENGTH = 1 << 22;

/** Returns the tokens of `text[from … to)`, which begins and ends at a split point. */
type CountInterior = (text: string, from: number, to: number) => number;

interface Chunk {
  readonly length: number;
  readonly tokens: number;
}

/** The newest text and the chunks of its interior, which begins at `from`. */
interface CountedText {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly chunks: readonly Chunk[];
}

const NO_TEXT: CountedText = { text: '', from: 0, to: 0, chunks: [] };

/**
 * Returns a function with the results of `countInterior`. It counts only the chunks between the unchanged chunks at the
 * start and those at the end of the text before.
 */
export function createEditedTextCounter(countInterior: CountInterior, chunkLength = CHUNK_LENGTH): CountInterior {
  let previous = NO_TEXT;
  const minLength = chunkLength / 2;
  return (text, from, to) => {
    const head = findUnchangedHead(previous, text, from, to, minLength);
    const tail = findUnchangedTail(previous, head, text, to, minLength);
    const chunks = previous.chunks.slice(0, head.count);
    for (let start = head.end; start < tail.start;) {
      const end = chunkEnd(text, start, tail.start, chunkLength);
      chunks.push({ length: end - start, tokens: countInterior(text, start, end) });
      start = end;
    }
    chunks.push(...previous.chunks.slice(previous.chunks.length - tail.count));
    previous = text.length <= MAX_KEPT_LENGTH ? { text, from, to, chunks } : NO_TEXT;
    return chunks.reduce((sum, { tokens }) => sum + tokens, 0);
  };
}

/**
 * Returns how many chunks the text also begins with, and where they end. The last of them is left out if the text cannot
 * be split after it any more, or if it is short, so that edits do not leave ever more short chunks.
 */
function findUnchangedHead(
  { chunks, ...previous }: CountedText,
  text: string,
  from: number,
  to: number,
  minLength: number,
): { count: number; end: number } {
  let count = 0;
  let end = from;
  for (const { length } of chunks) {
    if (end + length > to || !isSame(text, end, previous.text, end - from + previous.from, length)) break;
    count++;
    end += length;
  }
  while (count > 0 && (!isSplitPoint(text, end) || chunks[count - 1]!.length < minLength))
    end -= chunks[--count]!.length;
  return { count, end };
}

/** Returns how many chunks after the head the text also ends with, and where they start, by the same rules. */
function findUnchangedTail(
  { chunks, ...previous }: CountedText,
  head: { count: number; end: number },
  text: string,
  to: number,
  minLength: number,
): { count: number; start: number } {
  let count = 0;
  let start = to;
  while (count < chunks.length - head.count) {
    const { length } = chunks.at(-1 - count)!;
    const at = start - length;
    if (at < head.end || !isSame(text, at, previous.text, at - to + previous.to, length)) break;
    count++;
    start = at;
  }
  while (count > 0 && (!isSplitPoint(text, start) || chunks.at(-count)!.length < minLength))
    start += chunks.at(-count--)!.length;
  return { count, start };
}

/** Compares slices, which takes less time than a loop over units. */
const isSame = (text: string, at: number, other: string, otherAt: number, length: number): boolean =>
  text.slice(at, at + length) === other.slice(otherAt, otherAt + length);
