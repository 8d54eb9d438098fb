/**
 * Caches the token counts of words and short symbol runs. A key is the text in UTF-16 units and the flags of the markers
 * around it. The whole key is stored and compared, so a hash collision never returns a wrong count. The limit is 4 MB:
 * 65,536 keys up to 14 units and 8,192 longer ones.
 */
import {
  type BatchedLookup,
  createBatchedLookup,
  finalizeHash,
  hashHalf,
  hashRest,
  KEY_BITS,
  KEY_MASK,
  LENGTH_BITS,
  LENGTH_MASK,
  MAX_SHORT_KEY_LENGTH,
  SHORT_ENTRY_INTS,
  SLOT_SHIFT,
} from './batched-lookup.ts';

/** Maximum number of UTF-16 units in a key. */
export const MAX_KEY_LENGTH = 126;

/** One integer for the header and one for each pair of units. */
const LONG_ENTRY_INTS = 1 + MAX_KEY_LENGTH / 2;
/** Factor by which a full table grows. */
const GROWTH_FACTOR = 4;

export interface TokenCountCache extends BatchedLookup {
  /** Returns the token count of `length` units (1 to 126) from `start` with these markers (0 to 7), or -1. */
  get(view: DataView, start: number, length: number, markers: number): number;
  /** Stores a token count below 2^21 for a key that is not in the cache. */
  put(view: DataView, start: number, length: number, markers: number, count: number): void;
}

export function createTokenCountCache(): TokenCountCache {
  const seed = (Math.random() * 0x100000000) | 0;
  const short = createTable({ entryInts: SHORT_ENTRY_INTS, initialSlots: 1 << 12, maxSlots: 1 << 16, hash: hashShort });
  const long = createTable({ entryInts: LONG_ENTRY_INTS, initialSlots: 1 << 9, maxSlots: 1 << 13, hash: hashLong });
  const key = new Int32Array(LONG_ENTRY_INTS);

  function hashShort(ints: Int32Array, at: number): number {
    const header = ints[at]! & KEY_MASK;
    const half = hashHalf(ints[at + 1]!, ints[at + 2]!, ints[at + 3]!, ints[at + 4]!, header, seed);
    return finalizeHash((half + hashRest(ints[at + 5]!, ints[at + 6]!, ints[at + 7]!)) | 0);
  }

  function hashLong(ints: Int32Array, at: number): number {
    const header = ints[at]! & KEY_MASK;
    let hash = seed ^ header;
    for (let k = at + 1, end = at + countPairs(header); k <= end; k++) {
      hash = Math.imul(hash ^ ints[k]!, 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    return Math.imul(hash, 0x85ebca6b);
  }

  /** Writes the header and the pairs of units to `key`. Zeros pad a short key. */
  function writeKey(view: DataView, start: number, length: number, markers: number): void {
    key[0] = length | (markers << LENGTH_BITS);
    const pairs = countPairs(length);
    for (let k = 1, at = start * 2; k <= pairs; k++, at += 4) key[k] = view.getInt32(at, true);
    if ((length & 1) === 1) key[pairs] = key[pairs]! & 0xffff;
    for (let k = pairs + 1; k < SHORT_ENTRY_INTS; k++) key[k] = 0;
  }

  const { enqueue, flush } = createBatchedLookup(short, seed);
  return {
    enqueue,
    flush,
    get(view, start, length, markers) {
      writeKey(view, start, length, markers);
      return length <= MAX_SHORT_KEY_LENGTH ? short.get(key) : long.get(key);
    },
    put(view, start, length, markers, count) {
      writeKey(view, start, length, markers);
      if (length <= MAX_SHORT_KEY_LENGTH) short.put(key, count);
      else long.put(key, count);
    },
  };
}

/** Returns the number of unit pairs in a key. A length is a valid header, because it is in the header's lowest bits. */
function countPairs(header: number): number {
  return ((header & LENGTH_MASK) + 1) >> 1;
}

interface TableOptions {
  /** Number of integers in an entry. */
  entryInts: number;
  /** Initial number of entries. */
  initialSlots: number;
  /** Maximum number of entries. */
  maxSlots: number;
  /** Returns the hash of the key that is stored in `ints` from `at` on. */
  hash(ints: Int32Array, at: number): number;
}

/**
 * Creates a two-way set-associative hash table. `batched-lookup.ts` documents the layout of its entries. A new entry
 * takes the first slot of its hash and moves the previous one to the second. The table starts small, because page faults
 * of the full table took half of the time to count the first 100 KB.
 */
function createTable({ entryInts, initialSlots, maxSlots, hash }: TableOptions) {
  const table = {
    cells: createCacheAlignedInts(maxSlots * entryInts),
    slotMask: (initialSlots - 1) * entryInts,
    get,
    put,
  };
  const { cells } = table;
  const maxSlotMask = (maxSlots - 1) * entryInts;
  let usedInts = 0;

  function getFirstSlot(ints: Int32Array, at: number): number {
    return (hash(ints, at) >>> SLOT_SHIFT) & table.slotMask;
  }

  function hasKey(slot: number, key: Int32Array): boolean {
    const header = key[0]!;
    if ((cells[slot]! & KEY_MASK) !== header) return false;
    for (let k = countPairs(header); k > 0; k--) if (cells[slot + k] !== key[k]) return false;
    return true;
  }

  function get(key: Int32Array): number {
    const first = getFirstSlot(key, 0);
    if (hasKey(first, key)) return cells[first]! >>> KEY_BITS;
    const second = first ^ entryInts;
    return hasKey(second, key) ? cells[second]! >>> KEY_BITS : -1;
  }

  function put(key: Int32Array, count: number): void {
    const slot = getFirstSlot(key, 0);
    if (cells[slot] !== 0) cells.copyWithin(slot ^ entryInts, slot, slot + entryInts);
    cells[slot] = key[0]! | (count << KEY_BITS);
    const ints = Math.max(SHORT_ENTRY_INTS - 1, countPairs(key[0]!));
    for (let k = 1; k <= ints; k++) cells[slot + k] = key[k]!;
    usedInts += entryInts;
    if (usedInts > table.slotMask && table.slotMask < maxSlotMask) grow();
  }

  /** Rehashes the entries into the larger table and drops an entry if both of its slots are taken. */
  function grow(): void {
    const old = cells.slice(0, table.slotMask + entryInts);
    table.slotMask = GROWTH_FACTOR * old.length - entryInts;
    usedInts = 0;
    // Write the new range before reading it, because a page that is read first causes a second page fault.
    cells.fill(0, 0, GROWTH_FACTOR * old.length);
    for (let at = 0; at < old.length; at += entryInts) {
      if (old[at] === 0) continue;
      const first = getFirstSlot(old, at);
      const slot = cells[first] === 0 ? first : first ^ entryInts;
      if (cells[slot] === 0) for (let k = 0; k < entryInts; k++) cells[slot + k] = old[at + k]!;
    }
  }

  return table;
}

/** An allocator puts a 16-byte header before a large block, so this offset is at the start of a 64-byte cache line. */
const CACHE_LINE_OFFSET = 48;

/** Returns an array that starts at a cache line, so that the two slots of a hash are in the same line. */
function createCacheAlignedInts(length: number): Int32Array {
  return new Int32Array(new ArrayBuffer(length * 4 + CACHE_LINE_OFFSET), CACHE_LINE_OFFSET);
}
