/** How keys of up to 14 units lie in the table of a price cache: one integer of length, form and price, then pairs of
 * units. */

/** The longest key that may wait in the queue. */
export const LONGEST_QUEUED = 14;
export const NARROW_INTS = 8;
/** Leaves the places of the largest table, of 2^16 entries. */
const NARROW_SHIFT = 13;

/** The first integer of an entry: length, form, price. */
export const LENGTH_BITS = 7;
export const LENGTH = (1 << LENGTH_BITS) - 1;
export const HEAD_BITS = 10;
export const HEAD = (1 << HEAD_BITS) - 1;

/** What of the k-th pair of units belongs to a key of each length. */
export const pairMasks: readonly Int32Array[] = Array.from({ length: LONGEST_QUEUED / 2 }, (_, k) =>
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
