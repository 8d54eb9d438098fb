/** The pieces found so far, as a trie over code units, and the cheapest tiling of a stream with them. */

/** UTF-8 length of the character at `index`, whose units are given. */
function byteLength(unit: number): number {
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return unit >= 0xd800 && unit < 0xe000 ? 4 : 3;
}

export class Pieces {
  readonly #all = new Set<string>();
  #slots = 1 << 20;
  #keyNode = new Int32Array(this.#slots).fill(-1);
  #keyUnit = new Uint16Array(this.#slots);
  #child = new Int32Array(this.#slots);
  readonly #roots = new Int32Array(65536);
  #ends = new Uint8Array(1 << 20);
  #nodes = 1;
  #best = new Int32Array(1 << 12);
  /** Price of a character that is no piece, where a byte prefix makes it cheaper than its UTF-8 length. */
  readonly byteCosts = new Map<number, number>();
  readonly #floorOfUnit = new Uint8Array(65536);

  constructor() {
    for (let unit = 0; unit < 65536; unit++) this.#floorOfUnit[unit] = byteLength(unit);
  }

  get size(): number {
    return this.#all.size;
  }

  has(piece: string): boolean {
    return this.#all.has(piece);
  }

  values(): IterableIterator<string> {
    return this.#all.values();
  }

  setByteCost(codePoint: number, tokens: number): void {
    this.byteCosts.set(codePoint, tokens);
    if (codePoint < 65536) this.#floorOfUnit[codePoint] = tokens;
  }

  add(piece: string): void {
    if (this.#all.has(piece)) return;
    this.#all.add(piece);
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
    for (;;) {
      const key = this.#keyNode[slot];
      if (key === node && this.#keyUnit[slot] === unit) return this.#child[slot] ?? -1;
      if (key === -1) break;
      slot = (slot + 1) & mask;
    }
    if (!createMissing) return -1;
    if (this.#nodes * 2 > this.#slots) throw new Error('the trie of pieces is full');
    this.#keyNode[slot] = node;
    this.#keyUnit[slot] = unit;
    this.#child[slot] = this.#nodes;
    return this.#nodes++;
  }

  /** Fewest pieces that tile `stream`; characters that no piece covers are paid in bytes. */
  countTokens(stream: Uint16Array, from = 0, to = stream.length): number {
    const length = to - from;
    if (this.#best.length <= length) this.#best = new Int32Array(length * 2);
    const bestCosts = this.#best.fill(1 << 30, 1, length + 1);
    bestCosts[0] = 0;
    for (let start = 0; start < length; start++) {
      const cost = bestCosts[start] ?? 0;
      if (cost === 1 << 30) continue;
      const unit = stream[from + start] ?? 0;
      const isAstral = unit >= 0xd800 && unit < 0xdc00;
      const byteTotal =
        cost + (isAstral ? this.#astralFloor(unit, stream[from + start + 1] ?? 0) : (this.#floorOfUnit[unit] ?? 3));
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

  #astralFloor(highSurrogate: number, lowSurrogate: number): number {
    return this.byteCosts.get((highSurrogate - 0xd800) * 0x400 + (lowSurrogate - 0xdc00) + 0x10000) ?? 4;
  }
}
