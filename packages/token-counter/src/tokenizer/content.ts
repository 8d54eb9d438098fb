/** Counts texts: as one user message or within a prompt, whole or in parts. */
import { frameByFamily, NO_FRAME, type TextFrame, type TextFamily } from './families.ts';
import { type ChunkCounter, createChunkCounter } from './chunk-counter.ts';
import { createEditedTextCounter } from './edited-text-counter.ts';
import { firstSplitPoint, lastSplitPoint } from './split-points.ts';
import { createTextCountCache, type TextCountCache } from './text-count-cache.ts';
import { loadVocabulary, type VocabularyName } from './vocabulary.ts';
import { warmUp } from './warm-up.ts';

/** Minimum length of a part whose interior is counted separately and cached. */
const MIN_INTERIOR_LENGTH = 1 << 10;
/** Minimum length of an interior that is counted again by its edited chunks. */
const MIN_EDITED_LENGTH = 1 << 14;

interface Engine {
  readonly counter: ChunkCounter;
  readonly countEdited: ChunkCounter['countInterior'];
  readonly cache: TextCountCache;
}

const engines = new Map<VocabularyName, Engine>();

/** Returns the engine of a vocabulary, which is loaded on first use (tens of milliseconds) and cached. */
function getEngine(name: VocabularyName): Engine {
  let engine = engines.get(name);
  if (engine === undefined) {
    const counter = createChunkCounter(loadVocabulary(name));
    const countEdited = createEditedTextCounter(counter.countInterior);
    engine = { counter, countEdited, cache: createTextCountCache() };
    warmUp(counter);
    engines.set(name, engine);
  }
  return engine;
}

/**
 * Returns the tokens of a text, or of concatenated parts, as the whole content of one user message. Excludes the
 * frame's overhead, and includes merges of the ends with the frame. The minimum is 0 in v5 and v5-sonnet, and 1
 * otherwise. Accepts any string: special-token look-alikes are plain text, lone surrogates count as U+FFFD.
 */
export function countContent(content: string | readonly string[], family: TextFamily): number {
  const frame = frameByFamily[family];
  return countParts(typeof content === 'string' ? [content] : content, getEngine(frame.vocabulary), frame);
}

/**
 * Returns the tokens of the concatenated `parts` within a prompt, without frame rules at either end. Counts of long
 * parts are cached, so a prompt with one more turn takes little longer than that turn. `hasSpaceBefore`: the frame's
 * opening marker (a space) precedes the first run, as in content of v3 and v4.7.
 */
export function countConcatenated(
  parts: readonly string[],
  family: TextFamily,
  options: { readonly hasSpaceBefore?: boolean } = {},
): number {
  const frame = { ...NO_FRAME, handsBlank: options.hasSpaceBefore === true };
  return countParts(parts, getEngine(frameByFamily[family].vocabulary), frame);
}

/** A piece of the text that is counted separately. */
type Span =
  | { readonly kind: 'boundary'; readonly text: string }
  | { readonly kind: 'interior'; readonly text: string; readonly from: number; readonly to: number };

/**
 * Splits each long part at its first and last split point. The text between them is the interior of the part. The ends
 * of adjacent parts form the boundaries, of which there is one more than interiors.
 */
function splitSpans(parts: readonly string[]): Span[] {
  const spans: Span[] = [];
  let boundary = '';
  for (const part of parts) {
    const from = part.length < MIN_INTERIOR_LENGTH ? -1 : firstSplitPoint(part, 0, part.length);
    if (from === -1) {
      boundary += part;
      continue;
    }
    const to = lastSplitPoint(part, from - 1, part.length);
    spans.push({ kind: 'boundary', text: boundary + part.slice(0, from) });
    spans.push({ kind: 'interior', text: part, from, to });
    boundary = part.slice(to);
  }
  spans.push({ kind: 'boundary', text: boundary });
  return spans;
}

function countParts(parts: readonly string[], engine: Engine, frame: TextFrame): number {
  const spans = splitSpans(parts);
  return spans.reduce((total, span, index) => {
    if (span.kind === 'interior') return total + countCachedInterior(span.text, span.from, span.to, engine);
    const ends = { first: index === 0, last: index === spans.length - 1 };
    return total + engine.counter.countBoundary(span.text, frame, ends);
  }, 0);
}

function countCachedInterior(text: string, from: number, to: number, { counter, countEdited, cache }: Engine): number {
  const cached = cache.get(text);
  if (cached !== undefined) return cached;
  const countInterior = to - from < MIN_EDITED_LENGTH ? counter.countInterior : countEdited;
  const count = countInterior(text, from, to);
  cache.set(text, count);
  return count;
}
