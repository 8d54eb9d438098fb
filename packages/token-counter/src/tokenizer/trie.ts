/**
 * A trie of all pieces as a double array (Aoe 1989). The cell of a node contains its base. Its child for a unit is the
 * cell `base + code(unit)` if that cell has this code as its check. No two nodes share a base, so code and base fit one
 * integer. This halves the memory and needs one load per step, which matters on uncached text.
 */
import type { Pieces } from './pieces.ts';

export interface Trie {
  /** Cell of each first unit, or 0 if no piece of two or more units begins with it. */
  readonly rootByUnit: Int32Array;
  /** Code (1 and up) of each unit that occurs after the first position, or 0 for all others. */
  readonly codeByUnit: Uint16Array;
  /** `base << BASE_SHIFT | check << 1 | (a piece ends here)`. Base 0: no children. Any base plus code is in range. */
  readonly cells: Int32Array;
}

export const BASE_SHIFT = 13;
export const CHECK_MASK = (1 << (BASE_SHIFT - 1)) - 1;
const MAX_BASE = (1 << (32 - BASE_SHIFT)) - 1;

/** Number of cells that are tried for a node before later searches start at a higher cell. */
const MAX_BASE_TRIES = 24;

export function buildTrie(pieces: Pieces): Trie {
  const { codeByUnit, codeCount } = assignCodes(pieces);
  const builder = new DoubleArrayBuilder(pieces, codeByUnit, codeCount);
  const rootByUnit = new Int32Array(0x10000);
  for (let low = 0, high = 0; low < pieces.count; low = high) {
    high = findSameUnitEnd(pieces, low, pieces.count, 0);
    const cell = builder.insert(low, high, 1);
    // A piece of a single unit has no children and needs no node.
    if (cell !== 1) rootByUnit[pieces.units[pieces.starts[low]!]!] = cell;
  }
  return { rootByUnit, codeByUnit, cells: builder.toCells() };
}

class DoubleArrayBuilder {
  private readonly pieces: Pieces;
  private readonly codeByUnit: Uint16Array;
  private readonly codeCount: number;
  private cells: Int32Array;
  private isTaken: Uint8Array;
  private isBase: Uint8Array;
  /** Start of the search for a base, for nodes with one child and with several. */
  private readonly searchFrom = { one: 1, several: 1 };
  private usedCells = 1;

  constructor(pieces: Pieces, codeByUnit: Uint16Array, codeCount: number) {
    this.pieces = pieces;
    this.codeByUnit = codeByUnit;
    this.codeCount = codeCount;
    const size = 2 * pieces.units.length + codeCount;
    this.cells = new Int32Array(size);
    this.isTaken = new Uint8Array(size);
    this.isBase = new Uint8Array(size);
  }

  /**
   * Inserts the pieces `low … high`, which share their first `depth` units, and returns the cell of their node. Works
   * depth first, so that the nodes of one path are adjacent and cause fewer cache misses.
   */
  insert(low: number, high: number, depth: number): number {
    const { pieces } = this;
    const endsPiece = pieces.starts[low + 1]! - pieces.starts[low]! === depth ? 1 : 0;
    if (low + endsPiece === high) return endsPiece;
    const codes: number[] = [];
    for (let at = low + endsPiece; at < high; at = findSameUnitEnd(pieces, at, high, depth))
      codes.push(this.getCodeAt(at, depth));
    const base = this.findBase(codes);
    for (let at = low + endsPiece, to = at; at < high; at = to) {
      to = findSameUnitEnd(pieces, at, high, depth);
      const code = this.getCodeAt(at, depth);
      // Insert first, because it may replace the array of cells.
      const cell = this.insert(at, to, depth + 1);
      this.cells[base + code] = cell | (code << 1);
    }
    return (base << BASE_SHIFT) | endsPiece;
  }

  /** Returns the cells, whose values must fit their bits. */
  toCells(): Int32Array {
    if (this.usedCells > MAX_BASE || this.codeCount > CHECK_MASK)
      throw new Error(
        `A vocabulary of ${this.usedCells} nodes and ${this.codeCount} units does not fit the trie's cells.`,
      );
    return this.cells.slice(0, this.usedCells + this.codeCount + 1);
  }

  private getCodeAt(piece: number, depth: number): number {
    return this.codeByUnit[this.pieces.units[this.pieces.starts[piece]! + depth]!]!;
  }

  /** Reserves a unique base that puts every child, given by its code, on a free cell. */
  private findBase(children: readonly number[]): number {
    const first = children[0]!;
    const kind = children.length === 1 ? 'one' : 'several';
    let cell = Math.max(this.searchFrom[kind], first + 1);
    let tries = 1;
    while (!this.canUseBase(cell - first, children)) {
      cell++;
      tries++;
    }
    if (tries > MAX_BASE_TRIES) this.searchFrom[kind] = cell;
    const base = cell - first;
    this.isBase[base] = 1;
    for (const code of children) {
      this.isTaken[base + code] = 1;
      this.usedCells = Math.max(this.usedCells, base + code + 1);
    }
    return base;
  }

  /** Returns whether the base is unused and puts every child on a free cell. Grows the trie if it has too few cells. */
  private canUseBase(base: number, children: readonly number[]): boolean {
    if (base + children[0]! + this.codeCount >= this.cells.length) this.grow();
    return this.isBase[base] !== 1 && this.areCellsFree(base, children);
  }

  private areCellsFree(base: number, children: readonly number[]): boolean {
    for (const code of children) if (this.isTaken[base + code] === 1) return false;
    return true;
  }

  private grow(): void {
    const size = 2 * this.cells.length;
    const { cells, isTaken, isBase } = this;
    this.cells = new Int32Array(size);
    this.cells.set(cells);
    this.isTaken = new Uint8Array(size);
    this.isTaken.set(isTaken);
    this.isBase = new Uint8Array(size);
    this.isBase.set(isBase);
  }
}

/** Returns the counts n ≥ 1 for which `before`, n times `unit`, `after` is a piece of two or more units. */
export function repeatLengths(trie: Trie, before: readonly number[], unit: number, after: readonly number[]): number[] {
  const lengths: number[] = [];
  const [first = unit, ...path] = before;
  let cell = path.reduce((at, next) => findChild(trie, at, next), trie.rootByUnit[first]!);
  let count = before.length === 0 ? 1 : 0;
  while (cell !== 0) {
    const last = after.reduce((at, next) => findChild(trie, at, next), cell);
    if (count > 0 && (last & 1) === 1) lengths.push(count);
    cell = findChild(trie, cell, unit);
    count++;
  }
  return lengths;
}

/** Returns the cell of the child of `cell` for `unit`, or 0. */
function findChild({ cells, codeByUnit }: Trie, cell: number, unit: number): number {
  const code = codeByUnit[unit]!;
  const child = cells[(cell >>> BASE_SHIFT) + code]!;
  return code !== 0 && ((child >>> 1) & CHECK_MASK) === code ? child : 0;
}

/** Returns the first piece after `low` (at most `high`) with another unit at `depth`. */
function findSameUnitEnd({ units, starts }: Pieces, low: number, high: number, depth: number): number {
  const unit = units[starts[low]! + depth];
  let end = low + 1;
  while (end < high && units[starts[end]! + depth] === unit) end++;
  return end;
}

/** Assigns codes by frequency, so that siblings are close together. */
function assignCodes(pieces: Pieces): { codeByUnit: Uint16Array; codeCount: number } {
  const frequency = new Int32Array(0x10000);
  for (let k = 0; k < pieces.count; k++)
    for (let at = pieces.starts[k]! + 1; at < pieces.starts[k + 1]!; at++) frequency[pieces.units[at]!]!++;
  const occurringUnits: number[] = [];
  for (let unit = 0; unit < frequency.length; unit++) if (frequency[unit] !== 0) occurringUnits.push(unit);
  occurringUnits.sort((a, b) => frequency[b]! - frequency[a]!);
  const codeByUnit = new Uint16Array(0x10000);
  occurringUnits.forEach((unit, index) => {
    codeByUnit[unit] = index + 1;
  });
  return { codeByUnit, codeCount: occurringUnits.length };
}
