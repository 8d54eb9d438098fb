/** Prices words. A word's price depends on nothing around it, so it is computed once and remembered. */
import type { Runs } from './normalise.ts';
import { LONGEST_KEY, type PriceCache } from './price-cache.ts';
import type { Tile } from './tiling.ts';
import type { Vocabulary } from './vocabulary.ts';
import { writeWord } from './word-form.ts';

/** Price of the word `text.units[start … end)`. */
type WordPrice = (text: Runs, start: number, end: number) => number;

/** Keeps words apart from stretches of the same units in the cache. */
export const FORM_WORD = 4;

export function createWordPrice(vocabulary: Vocabulary, tile: Tile, cache: PriceCache): WordPrice {
  let stream = new Uint16Array(256);

  function tiled(units: Uint16Array, start: number, end: number): number {
    if (stream.length < end - start + 3) stream = new Uint16Array(2 * (end - start) + 3);
    return tile(stream, writeWord(units, start, end, vocabulary.older, stream));
  }

  return (text, start, end) => {
    if (end - start > LONGEST_KEY) return tiled(text.units, start, end);
    const known = cache.find(text.view, start, end - start, FORM_WORD);
    if (known !== -1) return known;
    const price = tiled(text.units, start, end);
    cache.keep(price);
    return price;
  };
}
