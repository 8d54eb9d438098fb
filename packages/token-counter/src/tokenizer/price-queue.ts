/**
 * Keys that wait to be looked up together. The loops have no branch that a processor could foresee wrongly (neither the
 * length of a word nor its place), so it has several keys on their way from memory at a time: on new text that wait is
 * most of the work.
 */

/** Keys that may wait between two calls of `settle`, and the units of the longest such key. */
export const QUEUE = 512;
export const LONGEST_QUEUED = 14;

/** How such a key lies in the table of a price cache: one integer of length, form and price, then pairs of units. */
export const NARROW_INTS = 8;
/** Leaves the places of the largest table, of 2^16 entries. */
const NARROW_SHIFT = 13;

export const LENGTH_BITS = 7;
export const LENGTH = (1 << LENGTH_BITS) - 1;
export const HEAD_BITS = 10;
export const HEAD = (1 << HEAD_BITS) - 1;

/** What of a pair of units belongs to a key of each length. */
type Mask = Int32Array;

/** The masks of a key's pairs, in their order. */
export const pairMasks: readonly Mask[] = Array.from({ length: LONGEST_QUEUED / 2 }, (_, k) =>
  Int32Array.from({ length: LONGEST_QUEUED + 1 }, (_none, length) =>
    length >= 2 * k + 2 ? -1 : length === 2 * k + 1 ? 0xffff : 0,
  ),
);

/** Hash of the first four pairs of a key; to be added to that of the others, which is 0 where there are none. */
export function hashOf(a: number, b: number, c: number, d: number, head: number, seed: number): number {
  return (
    (Math.imul(a ^ seed, 0x9e3779b1) +
      Math.imul(b, 0x85ebca77) +
      Math.imul(c, 0xc2b2ae3d) +
      Math.imul(d ^ head, 0x27d4eb2f)) |
    0
  );
}

export function hashOfRest(e: number, f: number, g: number): number {
  return (Math.imul(e, 0x165667b1) + Math.imul(f, 0xb5297a4d) + Math.imul(g, 0x68e31da5)) | 0;
}

/** First integer of the first place for a hash, in a table whose places `mask` lets through. */
export function narrowPlace(hash: number, mask: number): number {
  return (Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> NARROW_SHIFT) & mask;
}

const SHORT_KEY = 8;

export interface PriceQueue {
  /** Puts a key of 1–14 units into the queue, at most QUEUE of them. 14 units from `start` on are read. */
  queue(start: number, length: number, form: number): void;
  /** Empties the queue. Returns the sum of its prices; asks `missed` for each that is not found at once. */
  settle(view: DataView, missed: Missed): number;
  /** The table has grown: `mask` lets its places through. */
  grown(mask: number): void;
}

/** Price of a key that was not found. */
type Missed = (start: number, length: number, form: number) => number;

/**
 * The queue of a price cache with its table for narrow keys. Of the two places of a hash only one is read whole, by the
 * look of its beginning; the rare key that stands in the other one is left to `missed`, which finds it there.
 */
export function createQueue(table: Int32Array, firstMask: number, seed: number): PriceQueue {
  let placeMask = firstMask;
  // Keys up to 8 units and longer ones apart, two integers each: start; length and form.
  const short = new Int32Array(2 * QUEUE + 2);
  const long = new Int32Array(2 * QUEUE + 2);
  const unknown = new Int32Array(QUEUE + 1);
  let shortEnd = 0;
  let longEnd = 0;
  const [mask0, mask1, mask2, mask3, mask4, mask5, mask6] = pairMasks as [Mask, Mask, Mask, Mask, Mask, Mask, Mask];

  function settleMissed(keys: Int32Array, misses: number, missed: Missed): number {
    let total = 0;
    for (let k = 0; k < misses; k++) {
      const at = unknown[k]!;
      total += missed(keys[at]!, keys[at + 1]! & LENGTH, keys[at + 1]! >> LENGTH_BITS);
    }
    return total;
  }

  function settleShort(view: DataView, end: number, missed: Missed): number {
    const mask = placeMask;
    let total = 0;
    let misses = 0;
    for (let k = 0; k < end; k += 2) {
      const at = short[k]! * 2;
      const head = short[k + 1]!;
      const length = head & LENGTH;
      const a = view.getInt32(at, true) & mask0[length]!;
      const b = view.getInt32(at + 4, true) & mask1[length]!;
      const c = view.getInt32(at + 8, true) & mask2[length]!;
      const d = view.getInt32(at + 12, true) & mask3[length]!;
      let slot = narrowPlace(hashOf(a, b, c, d, head, seed), mask);
      const other = ((table[slot]! & HEAD) ^ head) | (table[slot + 1]! ^ a);
      slot ^= ((other | -other) >> 31) & NARROW_INTS;
      const found = table[slot]!;
      const differs =
        ((found & HEAD) ^ head) |
        (table[slot + 1]! ^ a) |
        (table[slot + 2]! ^ b) |
        (table[slot + 3]! ^ c) |
        (table[slot + 4]! ^ d);
      const miss = (differs | -differs) >> 31;
      total += (found >>> HEAD_BITS) & ~miss;
      unknown[misses] = k;
      misses -= miss;
    }
    return total + settleMissed(short, misses, missed);
  }

  function settleLong(view: DataView, end: number, missed: Missed): number {
    const mask = placeMask;
    let total = 0;
    let misses = 0;
    for (let k = 0; k < end; k += 2) {
      const at = long[k]! * 2;
      const head = long[k + 1]!;
      const length = head & LENGTH;
      const a = view.getInt32(at, true);
      const b = view.getInt32(at + 4, true);
      const c = view.getInt32(at + 8, true);
      const d = view.getInt32(at + 12, true);
      const e = view.getInt32(at + 16, true) & mask4[length]!;
      const f = view.getInt32(at + 20, true) & mask5[length]!;
      const g = view.getInt32(at + 24, true) & mask6[length]!;
      let slot = narrowPlace((hashOf(a, b, c, d, head, seed) + hashOfRest(e, f, g)) | 0, mask);
      const other = ((table[slot]! & HEAD) ^ head) | (table[slot + 1]! ^ a);
      slot ^= ((other | -other) >> 31) & NARROW_INTS;
      const found = table[slot]!;
      const differs =
        ((found & HEAD) ^ head) |
        (table[slot + 1]! ^ a) |
        (table[slot + 2]! ^ b) |
        (table[slot + 3]! ^ c) |
        (table[slot + 4]! ^ d) |
        (table[slot + 5]! ^ e) |
        (table[slot + 6]! ^ f) |
        (table[slot + 7]! ^ g);
      const miss = (differs | -differs) >> 31;
      total += (found >>> HEAD_BITS) & ~miss;
      unknown[misses] = k;
      misses -= miss;
    }
    return total + settleMissed(long, misses, missed);
  }

  return {
    queue(start, length, form) {
      const head = length | (form << LENGTH_BITS);
      short[shortEnd] = start;
      short[shortEnd + 1] = head;
      long[longEnd] = start;
      long[longEnd + 1] = head;
      const isLong = (SHORT_KEY - length) >>> 31;
      shortEnd += 2 - 2 * isLong;
      longEnd += 2 * isLong;
    },
    settle(view, missed) {
      const [shorts, longs] = [shortEnd, longEnd];
      shortEnd = 0;
      longEnd = 0;
      return settleShort(view, shorts, missed) + settleLong(view, longs, missed);
    },
    grown(mask) {
      placeMask = mask;
    },
  };
}
