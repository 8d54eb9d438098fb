/** Stores the known pieces as a trie over UTF-16 units, and finds the cheapest segmentation of a stream. */

/** Returns the UTF-8 length of the character that begins with the unit. */
function byteLength(unit: number): number {
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return unit >= 0xd800 && unit < 0xe000 ? 4 : 3;
}

export class Pieces {
  readonly #pieces = new Set<string>();
  #slots = 1 << 20;
  #keyNode = new Int32Array(this.#slots).fill(-1);
  #keyUnit = new Uint16Array(this.#slots);
  #child = new Int32Array(this.#slots);
  readonly #roots = new Int32Array(65536);
  #ends = new Uint8Array(1 << 20);
  #nodes = 1;
  #bestCosts = new Int32Array(1 << 12);
  /** Cost of a character outside all pieces if a byte prefix makes it cheaper than its UTF-8 length. */
  readonly byteCosts = new Map<number, number>();
  readonly #byteCostByUnit = new Uint8Array(65536);

  constructor() {
    for (let unit = 0; unit < 65536; unit++) this.#byteCostByUnit[unit] = byteLength(unit);
  }

  get size(): number {
    return this.#pieces.size;
  }

  has(piece: string): boolean {
    return this.#pieces.has(piece);
  }

  values(): IterableIterator<string> {
    return this.#pieces.values();
  }

  setByteCost(codePoint: number, tokens: number): void {
    this.byteCosts.set(codePoint, tokens);
    if (codePoint < 65536) this.#byteCostByUnit[codePoint] = tokens;
  }

  add(piece: string): void {
    if (this.#pieces.has(piece)) return;
    this.#pieces.add(piece);
    let node = 0;
    for (let index = 0; index < piece.length; index++) node = this.#step(node, piece.charCodeAt(index), true);
    this.#ends[node] = 1;
  }

  #step(node: number, unit: number, createMissing: boolean): number {
    if (node === 0) {
      const root = this.#roots[unit] ?? 0;
      if (root !== 0 || !createMissing) return root === 0 ? -1 : root;
      this.#roots[unit] = this.#nodes;
      return this.#nodes++;
    }
    const mask = this.#slots - 1;
    let slot = ((Math.imul(node, 0x9e3779b1) ^ Math.imul(unit, 0x85ebca6b)) >>> 4) & mask;
    while (this.#keyNode[slot] !== -1) {
      if (this.#keyNode[slot] === node && this.#keyUnit[slot] === unit) return this.#child[slot] ?? -1;
      slot = (slot + 1) & mask;
    }
    if (!createMissing) return -1;
    if (this.#nodes * 2 > this.#slots) throw new Error('the trie of pieces is full');
    this.#keyNode[slot] = node;
    this.#keyUnit[slot] = unit;
    this.#child[slot] = this.#nodes;
    return this.#nodes++;
  }

  /** Returns the minimum number of pieces that cover `stream`. Characters outside all pieces cost their bytes. */
  countTokens(stream: Uint16Array, from = 0, to = stream.length): number {
    const length = to - from;
    if (this.#bestCosts.length <= length) this.#bestCosts = new Int32Array(length * 2);
    const bestCosts = this.#bestCosts.fill(1 << 30, 1, length + 1);
    bestCosts[0] = 0;
    for (let start = 0; start < length; start++) {
      const cost = bestCosts[start] ?? 0;
      if (cost === 1 << 30) continue;
      const unit = stream[from + start] ?? 0;
      const isAstral = unit >= 0xd800 && unit < 0xdc00;
      const byteTotal =
        cost +
        (isAstral ? this.#astralByteCost(unit, stream[from + start + 1] ?? 0) : (this.#byteCostByUnit[unit] ?? 3));
      const next = start + (isAstral ? 2 : 1);
      if (byteTotal < (bestCosts[next] ?? 0)) bestCosts[next] = byteTotal;
      let node = 0;
      for (let end = start; end < length;) {
        node = this.#step(node, stream[from + end] ?? 0, false);
        if (node < 0) break;
        end++;
        if (this.#ends[node] === 1 && cost + 1 < (bestCosts[end] ?? 0)) bestCosts[end] = cost + 1;
      }
    }
    return bestCosts[length] ?? 0;
  }

  #astralByteCost(highSurrogate: number, lowSurrogate: number): number {
    return this.byteCosts.get((highSurrogate - 0xd800) * 0x400 + (lowSurrogate - 0xdc00) + 0x10000) ?? 4;
  }
}
