/**
 * A Bloom filter for many millions of strings in fixed memory. It may report a new string as known (about 1 in 10,000),
 * never the reverse.
 */
const LOG2_BITS = 31;

export class BloomFilter {
  readonly #bits = new Uint32Array(2 ** (LOG2_BITS - 5));

  /** Adds a string, or the part between two offsets. Returns true if the string is new. */
  add(text: string, from = 0, to = text.length, seed = 0): boolean {
    let first = 0x811c9dc5 ^ seed;
    let second = 0x9e3779b9 + seed;
    for (let index = from; index < to; index++) {
      const unit = text.charCodeAt(index);
      first = Math.imul(first ^ unit, 0x01000193);
      second = Math.imul(second + unit, 0x85ebca6b) ^ (second >>> 13);
    }
    first = Math.imul(first ^ (first >>> 15), 0x2c1b3c6d);
    second = Math.imul(second ^ (second >>> 16), 0x297a2d39);
    const isNew = this.#set((first ^ (first >>> 12)) >>> 1);
    return this.#set((second ^ (second >>> 15)) >>> 1) || isNew;
  }

  #set(bit: number): boolean {
    const word = bit >>> 5;
    const mask = 1 << (bit & 31);
    const previousBits = this.#bits[word] ?? 0;
    this.#bits[word] = previousBits | mask;
    return (previousBits & mask) === 0;
  }
}
