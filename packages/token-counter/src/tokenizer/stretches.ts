/** Prices what stands between words, white space and single characters: punctuation, symbols, marks, numbers. */
import { CLOSE, FORM_CLOSE, FORM_OPEN, OPEN } from './markers.ts';
import type { Runs } from './normalise.ts';
import { LONGEST_KEY, type PriceCache } from './price-cache.ts';
import type { Tile } from './tiling.ts';
import { createUniformPrice, isUniform } from './uniform.ts';
import { JOINS_NEXT, JOINS_PREVIOUS, type Vocabulary } from './vocabulary.ts';

const ASCII = 0x80;
/** Up to this length a stretch is looked up whole: looking for places to part it costs more. */
const WHOLE = 3;

/** Makes what prices `text.units[start … end)` with the markers of `form` around it. */
export function createStretchPrice(vocabulary: Vocabulary, tile: Tile, cache: PriceCache) {
  const { joins } = vocabulary;
  const uniform = createUniformPrice(vocabulary);
  let stream = new Uint16Array(256);

  function tiled(units: Uint16Array, start: number, end: number, form: number): number {
    if (stream.length < end - start + 2) stream = new Uint16Array(2 * (end - start) + 2);
    let at = 0;
    if ((form & FORM_OPEN) !== 0) stream[at++] = OPEN;
    for (let k = start; k < end; k++) stream[at++] = units[k]!;
    if ((form & FORM_CLOSE) !== 0) stream[at++] = CLOSE;
    return tile(stream, at);
  }

  // Single ASCII characters are the most frequent stretches: their prices in all four forms are ready.
  const single = new Uint8Array(4 * ASCII);
  const one = new Uint16Array(1);
  for (let form = 0; form < 4; form++)
    for (let unit = 0; unit < ASCII; unit++) {
      one[0] = unit;
      single[form * ASCII + unit] = tiled(one, 0, 1, form);
    }

  /** Also what the queue did not find. */
  function remembered(text: Runs, start: number, end: number, form: number): number {
    if (end - start > LONGEST_KEY)
      return isUniform(text.units, start, end)
        ? uniform(text.units[start]!, end - start, form)
        : tiled(text.units, start, end, form);
    const known = cache.find(text.view, start, end - start, form);
    if (known !== -1) return known;
    const price = tiled(text.units, start, end, form);
    cache.keep(price);
    return price;
  }

  /** Whether some piece may hold the units before and at `at` both; the halves of a surrogate pair are never parted. */
  function joined(units: Uint16Array, at: number): boolean {
    const left = units[at - 1]!;
    if ((left & 0xfc00) === 0xd800) return true;
    return (joins[left]! & JOINS_NEXT) !== 0 && (joins[units[at]!]! & JOINS_PREVIOUS) !== 0;
  }

  /** Prices at once, or puts the stretch into the cache's queue (one key at most) and answers 0. */
  function now(text: Runs, start: number, end: number, form: number): number {
    const { units } = text;
    if (end === start + 1 && units[start]! < ASCII) return single[form * ASCII + units[start]!]!;
    if (end - start <= WHOLE) {
      cache.queue(start, end - start, form);
      return 0;
    }
    let price = 0;
    for (let from = start; from < end;) {
      let to = from + 1;
      while (to < end && joined(units, to)) to++;
      const markers = (from === start ? form & FORM_OPEN : 0) | (to === end ? form & FORM_CLOSE : 0);
      price += remembered(text, from, to, markers);
      from = to;
    }
    return price;
  }

  return { now, missed: remembered };
}
