/** Prices stretches of raw text: normalises and prices it chunk by chunk, with the rules of a frame at the ends. */
import { stretchEnd } from './cuts.ts';
import type { Frame } from './families.ts';
import { BLANK, LINE_FEED } from './markers.ts';
import { createRuns, cutRuns, normalise } from './normalise.ts';
import { createPriceRuns } from './runs.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Units per chunk: its memory stays in the processor's first cache, and care for one odd character is taken of few. */
const CHUNK = 1 << 12;

const START = { frame: false, closed: false };
const START_IN_FRAME = { frame: true, closed: false };
const AFTER_CUT = { frame: false, closed: true };

export interface Passage {
  /** Price of `text[from … to)`, which must begin and end at a cut. */
  inside(text: string, from: number, to: number): number;
  /** Price of a text at an end of the whole: `first` and `last` say which ends of it the frame's rules touch; else it
   * begins or ends at a cut. */
  outside(text: string, frame: Frame, first: boolean, last: boolean): number;
}

export function createPassage(vocabulary: Vocabulary): Passage {
  const price = createPriceRuns(vocabulary);
  const { traits } = vocabulary;
  const chunk = createRuns(CHUNK + (CHUNK >> 1));

  function inside(text: string, from: number, to: number): number {
    let total = 0;
    for (let start = from; start < to;) {
      const end = stretchEnd(text, start, to, CHUNK);
      normalise(text, start, end, vocabulary, chunk);
      total += price(chunk, AFTER_CUT);
      start = end;
    }
    return total;
  }

  function outside(text: string, frame: Frame, first: boolean, last: boolean): number {
    const to = last && frame.trimsEnd ? trimmedEnd(text) : text.length;
    normalise(text, 0, to, vocabulary, chunk);
    const { units } = chunk;
    let start = 0;
    let end = chunk.length;
    let total = 0;
    if (last && frame.closingLineFeeds !== undefined) {
      while (end > 0 && units[end - 1] === LINE_FEED) end--;
      const lineFeeds = chunk.length - end;
      if (lineFeeds > 0) total = vocabulary.lineFeeds(lineFeeds + frame.closingLineFeeds) - 1;
    }
    // One blank typed at the start is the one that the frame brings; a blank made by folding is not.
    if (
      first &&
      frame.handsBlank &&
      text.charCodeAt(0) === BLANK &&
      units[0] === BLANK &&
      (end === 1 || units[1] !== BLANK)
    )
      start = 1;
    if (start !== 0 || end !== chunk.length) cutRuns(chunk, start, end, traits);
    if (!first) return total + price(chunk, AFTER_CUT);
    if (!frame.handsBlank) return total + price(chunk, START);
    return total + (start === end ? 1 : price(chunk, START_IN_FRAME));
  }

  return { inside, outside };
}

function trimmedEnd(text: string): number {
  let end = text.length;
  for (; end > 0; end--) {
    const unit = text.charCodeAt(end - 1);
    if (unit !== BLANK && !(unit >= 0x09 && unit <= 0x0d)) break;
  }
  return end;
}
