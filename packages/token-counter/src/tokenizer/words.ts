/** Prices words. A word's price depends on nothing around it, so it is computed once and remembered. */
import { CAPITAL, CAPITAL_WITHOUT_LOWER, casingOf, LOWER, lowerOf, NO_LETTER } from './characters.ts';
import { ALL_CAPS, CAPITALISED, CLOSE, OPEN } from './markers.ts';
import type { Runs } from './normalise.ts';
import { LONGEST_KEY, type PriceCache } from './price-cache.ts';
import type { Tile } from './tiling.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Keeps words apart from stretches of the same units in the cache. */
export const FORM_WORD = 4;

/** Makes what prices the word `text.units[start … end)`. */
export function createWordPrice(vocabulary: Vocabulary, tile: Tile, cache: PriceCache) {
  let stream = new Uint16Array(256);

  function tiled(units: Uint16Array, start: number, end: number): number {
    if (stream.length < end - start + 3) stream = new Uint16Array(2 * (end - start) + 3);
    return tile(stream, writeWord(units, start, end, vocabulary.older, stream));
  }

  return (text: Runs, start: number, end: number): number => {
    if (end - start > LONGEST_KEY) return tiled(text.units, start, end);
    const known = cache.find(text.view, start, end - start, FORM_WORD);
    if (known !== -1) return known;
    const price = tiled(text.units, start, end);
    cache.keep(price);
    return price;
  };
}

const SHARP_S = 0x1e9e;
const DOTTED_I = 0x0130;
const SHORTEST_ALL_CAPS = 4;

/** Writes a word to `stream`, which has room for three units more than the word, and returns its length there. */
function writeWord(units: Uint16Array, start: number, end: number, allCaps: boolean, stream: Uint16Array): number {
  const marker = caseMarker(units, start, end, allCaps);
  let at = 0;
  if (marker !== 0) stream[at++] = marker;
  stream[at++] = OPEN;
  if (marker === 0) for (let k = start; k < end; k++) stream[at++] = units[k]!;
  else for (let k = start; k < end; k++) stream[at++] = lowerOf[units[k]!]!;
  stream[at++] = CLOSE;
  return at;
}

/** CAPITALISED or ALL_CAPS where the word is written in lower case behind that marker, 0 where it stands as it is. */
function caseMarker(units: Uint16Array, start: number, end: number, allCaps: boolean): number {
  let capitals = 0;
  let dotted = 0;
  let lower = 0;
  let stuck = 0;
  for (let k = start; k < end; k++) {
    const unit = units[k]!;
    const casing = casingOf[unit]!;
    if (casing === LOWER) lower++;
    else if (casing === CAPITAL) {
      if (unit === DOTTED_I) dotted++;
      else capitals++;
    } else if (casing !== NO_LETTER) {
      stuck++;
      if (casing === CAPITAL_WITHOUT_LOWER) capitals++;
    }
    if (unit === SHARP_S) return 0;
  }
  const first = units[start]!;
  const casing = casingOf[first]!;
  const startsCapital = casing === CAPITAL && first !== DOTTED_I;
  if (dotted > 0) return capitals === 1 && (startsCapital || casing === CAPITAL_WITHOUT_LOWER) ? CAPITALISED : 0;
  if (allCaps && end - start >= SHORTEST_ALL_CAPS && capitals > 0 && lower === 0 && stuck === 0) return ALL_CAPS;
  return startsCapital && capitals === 1 ? CAPITALISED : 0;
}
