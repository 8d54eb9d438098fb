/** Counts texts: as one user message, or in the middle of a prompt, whole or in parts. */
import { firstCut, lastCut } from './cuts.ts';
import { frames, noFrame, type Frame, type TextFamily } from './families.ts';
import { createPassage, type Passage } from './passage.ts';
import { createPricesOfTexts, type PricesOfTexts } from './prices-of-texts.ts';
import { loadVocabulary, type VocabularyName } from './vocabulary.ts';
import { warmUp } from './warm-up.ts';

/** From this length on the inside of a part is priced by itself and remembered. */
const LONG = 1 << 10;

interface Engine {
  readonly passage: Passage;
  readonly known: PricesOfTexts;
}

const engines = new Map<VocabularyName, Engine>();

/** The engine of a vocabulary, which is loaded at its first use (tens of milliseconds) and kept. */
function engineOf(name: VocabularyName): Engine {
  let engine = engines.get(name);
  if (engine === undefined) {
    engine = { passage: createPassage(loadVocabulary(name)), known: createPricesOfTexts() };
    warmUp(engine.passage);
    engines.set(name, engine);
  }
  return engine;
}

/**
 * Tokens of a text, or of the concatenation of its parts, as the whole content of one user message, without the frame's
 * overhead: what the ends share with the frame is settled here. 0 is possible in v5 and v5-sonnet, elsewhere at least
 * 1. Any string is accepted: special-token look-alikes are plain text, lone surrogates count as U+FFFD.
 */
export function countContent(content: string | readonly string[], family: TextFamily): number {
  const frame = frames[family];
  return countParts(typeof content === 'string' ? [content] : content, engineOf(frame.vocabulary), frame);
}

/**
 * Tokens of the concatenation of `parts` as it stands in the middle of a prompt: no rule of a frame applies at either
 * end. Prices of long parts are remembered, so a prompt that is sent again with one more turn costs little more than
 * that turn.
 * `blankBefore`: the first run finds the opening marker (a blank) of a frame before it, as content does in v3 and v4.7.
 */
export function countConcatenated(
  parts: readonly string[],
  family: TextFamily,
  options: { readonly blankBefore?: boolean } = {},
): number {
  const frame = { ...noFrame, handsBlank: options.blankBefore === true };
  return countParts(parts, engineOf(frames[family].vocabulary), frame);
}

/** Splits long parts at their first and last cut; insides are context-free, ends are glued to their neighbours. */
function countParts(parts: readonly string[], engine: Engine, frame: Frame): number {
  const { passage } = engine;
  let total = 0;
  let glue = '';
  let first = true;
  for (const part of parts) {
    const from = part.length < LONG ? -1 : firstCut(part, 0, part.length);
    if (from === -1) {
      glue += part;
      continue;
    }
    const to = lastCut(part, from - 1, part.length);
    total += passage.outside(glue + part.slice(0, from), frame, first, false);
    first = false;
    total += inside(part, from, to, engine);
    glue = part.slice(to);
  }
  return total + passage.outside(glue, frame, first, true);
}

/** Price of the inside of a part, as it is remembered from before. */
function inside(text: string, from: number, to: number, { passage, known }: Engine): number {
  const before = known.get(text);
  if (before !== undefined) return before;
  const price = passage.inside(text, from, to);
  known.set(text, price);
  return price;
}
