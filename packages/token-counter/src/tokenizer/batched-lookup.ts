/**
 * Looks up a batch of short keys in the table of the token-count cache. On uncached text, most of the time is spent
 * waiting for memory. The lookup loops are branch-free, so the CPU keeps several cache misses in flight.
 *
 * An entry of the table has 8 integers: a header, then up to 14 UTF-16 units in pairs, padded with zeros.
 *
 *   bits of the header:  0–6 length in units   7–9 markers   10–31 token count
 *
 * A key has two slots, that of its hash and `slot ^ 8`, so both are in one cache line of the CPU.
 */

export const LENGTH_BITS = 7;
export const LENGTH_MASK = (1 << LENGTH_BITS) - 1;
/** Number of header bits that belong to the key. */
export const KEY_BITS = 10;
export const KEY_MASK = (1 << KEY_BITS) - 1;

export const SHORT_ENTRY_INTS = 8;
/** Maximum number of units of a key in this table. */
export const MAX_SHORT_KEY_LENGTH = 2 * (SHORT_ENTRY_INTS - 1);
/** Shifts a 32-bit hash to the size of the largest table, 2^19 integers. */
export const SLOT_SHIFT = 13;

/** Maximum number of keys in a batch. */
export const MAX_BATCH = 512;
/** Maximum number of units of a key that fits into four pairs. */
const MAX_HALF_KEY_LENGTH = 8;

type KeyMask = Int32Array;

/** `PAIR_MASKS[k][length]`: the bits of pair `k` that belong to a key of that length. */
const PAIR_MASKS = Array.from({ length: MAX_SHORT_KEY_LENGTH / 2 }, (_, k) =>
  Int32Array.from({ length: MAX_SHORT_KEY_LENGTH + 1 }, (_none, length) => {
    if (length >= 2 * k + 2) return -1;
    return length === 2 * k + 1 ? 0xffff : 0;
  }),
) as [KeyMask, KeyMask, KeyMask, KeyMask, KeyMask, KeyMask, KeyMask];

/** Returns the hash of a header and the first four pairs. Adding `hashRest` gives the hash of the whole key. */
export function hashHalf(a: number, b: number, c: number, d: number, header: number, seed: number): number {
  return (
    (Math.imul(a ^ seed, 0x9e3779b1) +
      Math.imul(b, 0x85ebca77) +
      Math.imul(c, 0xc2b2ae3d) +
      Math.imul(d ^ header, 0x27d4eb2f)) |
    0
  );
}

/** Returns the hash of the last three pairs, which is 0 if they are 0. */
export function hashRest(e: number, f: number, g: number): number {
  return (Math.imul(e, 0x165667b1) + Math.imul(f, 0xb5297a4d) + Math.imul(g, 0x68e31da5)) | 0;
}

/** Mixes the upper bits of a hash into the lower ones. */
export function finalizeHash(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
}

/** Returns -1 (all bits set) if `x` is not 0, or else 0. */
const nonZeroMask = (x: number): number => (x | -x) >> 31;

/** The table for the lookup, which may grow between two batches. */
interface ShortTable {
  readonly cells: Int32Array;
  /** Bits of a hash that select a slot. */
  readonly slotMask: number;
}

/** Returns the token count of a key that was not found in the table. */
type CacheMissHandler = (start: number, length: number, markers: number) => number;

export interface BatchedLookup {
  /** Adds a key of 1 to 14 units to the batch, which has at most MAX_BATCH keys. */
  enqueue(start: number, length: number, markers: number): void;
  /** Adds up the token counts of the batch and empties it. Reads 14 units from each key's start. */
  flush(view: DataView, onMiss: CacheMissHandler): number;
}

/**
 * Creates a batch over a table. The header and first pair select the slot that is compared in full. A key in the other
 * slot is found by `onMiss`.
 */
export function createBatchedLookup(table: ShortTable, seed: number): BatchedLookup {
  // A key has two integers: its start, and its header without a count. Keys of up to 8 units have their own list.
  const { cells } = table;
  const halfKeys = new Int32Array(2 * MAX_BATCH + 2);
  const fullKeys = new Int32Array(2 * MAX_BATCH + 2);
  const missedIndexes = new Int32Array(MAX_BATCH + 1);
  let halfEnd = 0;
  let fullEnd = 0;
  const [mask0, mask1, mask2, mask3, mask4, mask5, mask6] = PAIR_MASKS;

  function countMissed(keys: Int32Array, misses: number, onMiss: CacheMissHandler): number {
    let total = 0;
    for (let k = 0; k < misses; k++) {
      const at = missedIndexes[k]!;
      total += onMiss(keys[at]!, keys[at + 1]! & LENGTH_MASK, keys[at + 1]! >> LENGTH_BITS);
    }
    return total;
  }

  function flushHalf(view: DataView, end: number, onMiss: CacheMissHandler): number {
    const { slotMask } = table;
    let total = 0;
    let misses = 0;
    for (let k = 0; k < end; k += 2) {
      const at = halfKeys[k]! * 2;
      const header = halfKeys[k + 1]!;
      const length = header & LENGTH_MASK;
      const a = view.getInt32(at, true) & mask0[length]!;
      const b = view.getInt32(at + 4, true) & mask1[length]!;
      const c = view.getInt32(at + 8, true) & mask2[length]!;
      const d = view.getInt32(at + 12, true) & mask3[length]!;
      const first = (finalizeHash(hashHalf(a, b, c, d, header, seed)) >>> SLOT_SHIFT) & slotMask;
      const otherKey = ((cells[first]! & KEY_MASK) ^ header) | (cells[first + 1]! ^ a);
      const slot = first ^ (nonZeroMask(otherKey) & SHORT_ENTRY_INTS);
      const found = cells[slot]!;
      const miss = nonZeroMask(
        ((found & KEY_MASK) ^ header) |
          (cells[slot + 1]! ^ a) |
          (cells[slot + 2]! ^ b) |
          (cells[slot + 3]! ^ c) |
          (cells[slot + 4]! ^ d),
      );
      total += (found >>> KEY_BITS) & ~miss;
      missedIndexes[misses] = k;
      misses -= miss;
    }
    return total + countMissed(halfKeys, misses, onMiss);
  }

  /** Works like `flushHalf` for keys of more than 8 units, whose first four pairs need no mask. */
  function flushFull(view: DataView, end: number, onMiss: CacheMissHandler): number {
    const { slotMask } = table;
    let total = 0;
    let misses = 0;
    for (let k = 0; k < end; k += 2) {
      const at = fullKeys[k]! * 2;
      const header = fullKeys[k + 1]!;
      const length = header & LENGTH_MASK;
      const a = view.getInt32(at, true);
      const b = view.getInt32(at + 4, true);
      const c = view.getInt32(at + 8, true);
      const d = view.getInt32(at + 12, true);
      const e = view.getInt32(at + 16, true) & mask4[length]!;
      const f = view.getInt32(at + 20, true) & mask5[length]!;
      const g = view.getInt32(at + 24, true) & mask6[length]!;
      const hash = (hashHalf(a, b, c, d, header, seed) + hashRest(e, f, g)) | 0;
      const first = (finalizeHash(hash) >>> SLOT_SHIFT) & slotMask;
      const otherKey = ((cells[first]! & KEY_MASK) ^ header) | (cells[first + 1]! ^ a);
      const slot = first ^ (nonZeroMask(otherKey) & SHORT_ENTRY_INTS);
      const found = cells[slot]!;
      const miss = nonZeroMask(
        ((found & KEY_MASK) ^ header) |
          (cells[slot + 1]! ^ a) |
          (cells[slot + 2]! ^ b) |
          (cells[slot + 3]! ^ c) |
          (cells[slot + 4]! ^ d) |
          (cells[slot + 5]! ^ e) |
          (cells[slot + 6]! ^ f) |
          (cells[slot + 7]! ^ g),
      );
      total += (found >>> KEY_BITS) & ~miss;
      missedIndexes[misses] = k;
      misses -= miss;
    }
    return total + countMissed(fullKeys, misses, onMiss);
  }

  return {
    enqueue(start, length, markers) {
      // Write to both lists and advance one of them, which avoids a branch.
      const header = length | (markers << LENGTH_BITS);
      halfKeys[halfEnd] = start;
      halfKeys[halfEnd + 1] = header;
      fullKeys[fullEnd] = start;
      fullKeys[fullEnd + 1] = header;
      const isFull = (MAX_HALF_KEY_LENGTH - length) >>> 31;
      halfEnd += 2 - 2 * isFull;
      fullEnd += 2 * isFull;
    },
    flush(view, onMiss) {
      const halfKeysEnd = halfEnd;
      const fullKeysEnd = fullEnd;
      halfEnd = 0;
      fullEnd = 0;
      return flushHalf(view, halfKeysEnd, onMiss) + flushFull(view, fullKeysEnd, onMiss);
    },
  };
}
