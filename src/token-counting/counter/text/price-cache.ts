/**
 * Prices of words and short runs, remembered by the units themselves. A price depends on nothing but those units and
 * the markers around them, so an entry is exact; the whole key is stored and compared, so no two keys can be mistaken
 * for one another. Bounded at 4 MB: 65,536 entries for keys up to 14 units and 8,192 for longer ones, two places per
 * hash, the newer one in front.
 */
import {
  HEAD,
  HEAD_BITS,
  hashOf,
  hashOfRest,
  LENGTH_BITS,
  LONGEST_QUEUED,
  NARROW_BITS,
  NARROW_INTS,
  narrowPlace,
  pairMasks,
} from './price-keys.ts';
import { createQueue, type PriceQueue } from './price-queue.ts';

export const LONGEST_KEY = 126;

const WIDE_BITS = 13;
const WIDE_INTS = 64;

export interface PriceCache extends PriceQueue {
  /** The remembered price of `length` (1–126) units from `start` in form `form` (0–7), or -1. May read 14 units from
   * `start` on. */
  find(view: DataView, start: number, length: number, form: number): number;
  /** Remembers a price (< 2²¹) for the key of the last `find`, which must have failed. */
  keep(price: number): void;
}

/**
 * Integers of a table on cache lines of their own: allocators put 16 bytes of their own before a large block, and with
 * both places of a hash on one line a look-up waits for memory once. (Elsewhere the offset only wastes 48 bytes.)
 */
function lines(ints: number): Int32Array {
  return new Int32Array(new ArrayBuffer(ints * 4 + 48), 48);
}

export function createPriceCache(): PriceCache {
  const narrow = lines(NARROW_INTS << NARROW_BITS);
  const wide = lines(WIDE_INTS << WIDE_BITS);
  const key = new Int32Array(WIDE_INTS);
  const seed = (Math.random() * 0x100000000) | 0;
  // Where the last look-up that failed would have found its key.
  let table = narrow;
  let place = 0;
  let slotInts = NARROW_INTS;

  /** Fills the key with its pairs and says where it belongs. */
  function placeNarrow(view: DataView, start: number, length: number, head: number): void {
    for (let k = 0; k < pairMasks.length; k++)
      key[k + 1] = view.getInt32(start * 2 + 4 * k, true) & pairMasks[k]![length]!;
    place = narrowPlace(
      (hashOf(key[1]!, key[2]!, key[3]!, key[4]!, head, seed) + hashOfRest(key[5]!, key[6]!, key[7]!)) | 0,
    );
    table = narrow;
    slotInts = NARROW_INTS;
  }

  function placeWide(view: DataView, start: number, pairs: number, odd: boolean, head: number): void {
    let hash = seed ^ head;
    for (let k = 1, at = start * 2; k <= pairs; k++, at += 4) {
      let pair = view.getInt32(at, true);
      if (k === pairs && odd) pair &= 0xffff;
      key[k] = pair;
      hash = Math.imul(hash ^ pair, 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    place = (Math.imul(hash, 0x85ebca6b) >>> (32 - WIDE_BITS)) * WIDE_INTS;
    table = wide;
    slotInts = WIDE_INTS;
  }

  function holdsKey(slot: number, pairs: number): boolean {
    if ((table[slot]! & HEAD) !== key[0]) return false;
    for (let k = 1; k <= pairs; k++) if (table[slot + k] !== key[k]) return false;
    return true;
  }

  return {
    ...createQueue(narrow, seed),
    find(view, start, length, form) {
      const head = length | (form << LENGTH_BITS);
      const pairs = (length + 1) >> 1;
      key[0] = head;
      if (length <= LONGEST_QUEUED) placeNarrow(view, start, length, head);
      else placeWide(view, start, pairs, (length & 1) === 1, head);
      if (holdsKey(place, pairs)) return table[place]! >>> HEAD_BITS;
      return holdsKey(place ^ slotInts, pairs) ? table[place ^ slotInts]! >>> HEAD_BITS : -1;
    },
    keep(price) {
      if (table[place] !== 0) table.copyWithin(place ^ slotInts, place, place + slotInts);
      table[place] = key[0]! | (price << HEAD_BITS);
      for (let k = 1; k < slotInts; k++) table[place + k] = key[k]!;
    },
  };
}
