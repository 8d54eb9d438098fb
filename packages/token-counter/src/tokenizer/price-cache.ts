/**
 * Prices of words and short runs, remembered by the units themselves. A price depends on nothing but those units and
 * the markers around them, so an entry is exact; the whole key is stored and compared, so no two keys can be mistaken
 * for one another. Two places per hash, the newer one in front. Bounded at 4 MB: 65,536 entries for keys up to 14 units
 * and 8,192 for longer ones. Of that a sixteenth is in use at first, and four times as much when it is full: the system
 * gives out memory page by page, and waiting for 4 MB of pages was half of what the first 100 KB of new words took.
 */
import {
  createQueue,
  HEAD,
  HEAD_BITS,
  hashOf,
  hashOfRest,
  LENGTH,
  LENGTH_BITS,
  LONGEST_QUEUED,
  NARROW_INTS,
  narrowPlace,
  pairMasks,
  type PriceQueue,
} from './price-queue.ts';

export const LONGEST_KEY = 126;

const WIDE_INTS = 64;
/** Integers of a table: at first, at most, and how many times more each time. */
const NARROW_TABLE = { first: NARROW_INTS << 12, most: NARROW_INTS << 16 };
const WIDE_TABLE = { first: WIDE_INTS << 9, most: WIDE_INTS << 13 };
const GROWTH = 4;
/** Leaves the places of the largest table. */
const WIDE_SHIFT = 13;

export interface PriceCache extends Pick<PriceQueue, 'queue' | 'settle'> {
  /** The remembered price of `length` (1–126) units from `start` in `form` (0–7), or -1. May read 14 units. */
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
  const seed = (Math.random() * 0x100000000) | 0;
  const key = new Int32Array(WIDE_INTS);
  const narrow = lines(NARROW_TABLE.most);
  let narrowMask = NARROW_TABLE.first - NARROW_INTS;
  let narrowKept = 0;
  const wide = lines(WIDE_TABLE.most);
  let wideMask = WIDE_TABLE.first - WIDE_INTS;
  let wideKept = 0;
  const { queue, settle, grown } = createQueue(narrow, narrowMask, seed);
  // Where the last look-up that failed would have found its key.
  let table = narrow;
  let place = 0;
  let slotInts = NARROW_INTS;

  /** First integer of the first place of the narrow key that stands in `ints` from `at` on. */
  function placeOfNarrow(ints: Int32Array, at: number): number {
    const head = ints[at]! & HEAD;
    const first = hashOf(ints[at + 1]!, ints[at + 2]!, ints[at + 3]!, ints[at + 4]!, head, seed);
    return narrowPlace((first + hashOfRest(ints[at + 5]!, ints[at + 6]!, ints[at + 7]!)) | 0, narrowMask);
  }

  /** The same of a wide key. */
  function placeOfWide(ints: Int32Array, at: number): number {
    const head = ints[at]! & HEAD;
    let hash = seed ^ head;
    for (let k = at + 1, end = at + pairsOf(head); k <= end; k++) {
      hash = Math.imul(hash ^ ints[k]!, 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    return (Math.imul(hash, 0x85ebca6b) >>> WIDE_SHIFT) & wideMask;
  }

  function placeNarrow(view: DataView, start: number, length: number): void {
    for (let k = 0; k < pairMasks.length; k++)
      key[k + 1] = view.getInt32(start * 2 + 4 * k, true) & pairMasks[k]![length]!;
    place = placeOfNarrow(key, 0);
    table = narrow;
    slotInts = NARROW_INTS;
  }

  function placeWide(view: DataView, start: number, length: number, pairs: number): void {
    for (let k = 1, at = start * 2; k <= pairs; k++, at += 4) key[k] = view.getInt32(at, true);
    if ((length & 1) === 1) key[pairs] = key[pairs]! & 0xffff;
    place = placeOfWide(key, 0);
    table = wide;
    slotInts = WIDE_INTS;
  }

  function holdsKey(slot: number, pairs: number): boolean {
    if ((table[slot]! & HEAD) !== key[0]) return false;
    for (let k = 1; k <= pairs; k++) if (table[slot + k] !== key[k]) return false;
    return true;
  }

  function growNarrow(): void {
    const old = narrow.slice(0, narrowMask + NARROW_INTS);
    narrowKept = 0;
    narrowMask = GROWTH * old.length - NARROW_INTS;
    grown(narrowMask);
    spread(old, narrow, NARROW_INTS, placeOfNarrow);
  }

  function growWide(): void {
    const old = wide.slice(0, wideMask + WIDE_INTS);
    wideKept = 0;
    wideMask = GROWTH * old.length - WIDE_INTS;
    spread(old, wide, WIDE_INTS, placeOfWide);
  }

  return {
    queue,
    settle,
    find(view, start, length, form) {
      const head = length | (form << LENGTH_BITS);
      const pairs = pairsOf(head);
      key[0] = head;
      if (length <= LONGEST_QUEUED) placeNarrow(view, start, length);
      else placeWide(view, start, length, pairs);
      if (holdsKey(place, pairs)) return table[place]! >>> HEAD_BITS;
      return holdsKey(place ^ slotInts, pairs) ? table[place ^ slotInts]! >>> HEAD_BITS : -1;
    },
    keep(price) {
      if (table[place] !== 0) table.copyWithin(place ^ slotInts, place, place + slotInts);
      table[place] = key[0]! | (price << HEAD_BITS);
      if (slotInts === NARROW_INTS) {
        for (let k = 1; k < NARROW_INTS; k++) table[place + k] = key[k]!;
        narrowKept += NARROW_INTS;
        if (narrowKept > narrowMask && narrowMask < NARROW_TABLE.most - NARROW_INTS) growNarrow();
      } else {
        for (let k = pairsOf(key[0]!); k > 0; k--) table[place + k] = key[k]!;
        wideKept += WIDE_INTS;
        if (wideKept > wideMask && wideMask < WIDE_TABLE.most - WIDE_INTS) growWide();
      }
    },
  };
}

/** Pairs of units of a key, by its first integer. */
function pairsOf(head: number): number {
  return ((head & LENGTH) + 1) >> 1;
}

/**
 * Spreads entries over more of their table; where both places of one are taken, it is forgotten. That part is emptied
 * first, by which its pages are given out as well: a page that is read before it is written is given out twice.
 */
function spread(
  entries: Int32Array,
  table: Int32Array,
  ints: number,
  placeOf: (entries: Int32Array, at: number) => number,
): void {
  table.fill(0, 0, GROWTH * entries.length);
  for (let at = 0; at < entries.length; at += ints) {
    if (entries[at] === 0) continue;
    let place = placeOf(entries, at);
    if (table[place] !== 0) place ^= ints;
    if (table[place] === 0) for (let k = 0; k < ints; k++) table[place + k] = entries[at + k]!;
  }
}
