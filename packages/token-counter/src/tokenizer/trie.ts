/**
 * A prefix tree of all pieces as a double array: the child of a node for a unit is the cell `base + column(unit)`,
 * provided that this cell says that column. No two nodes have the same base, so one integer a node is enough: half the
 * memory and one load a step, which counts on new text, where the walk waits for memory.
 */
import type { Pieces } from './pieces.ts';

export interface Trie {
  /** Cell of each first unit, 0 where no piece of two or more units begins with it. */
  readonly rootOf: Int32Array;
  /** Column (1 and up) of each unit that stands behind the first place, 0 where none does. */
  readonly columnOf: Uint16Array;
  /** `base << BASE_SHIFT | column << 1 | (a piece ends here)`; base 0: no children. Any base plus column is inside. */
  readonly cells: Int32Array;
}

export const BASE_SHIFT = 13;
export const COLUMN_MASK = (1 << (BASE_SHIFT - 1)) - 1;
const LARGEST_BASE = (1 << (32 - BASE_SHIFT)) - 1;

/** Slots that are tried for a node before the next search begins further up. */
const MOST_TRIES = 24;

export function buildTrie(pieces: Pieces): Trie {
  const { columnOf, columns } = assignColumns(pieces);
  const rootOf = new Int32Array(0x10000);
  let taken = new Uint8Array(2 * pieces.units.length + columns);
  let isBase = new Uint8Array(taken.length);
  let cells = new Int32Array(taken.length);
  const grow = (): void => {
    const old = [taken, isBase, cells] as const;
    (taken = new Uint8Array(2 * old[0].length)).set(old[0]);
    (isBase = new Uint8Array(taken.length)).set(old[1]);
    (cells = new Int32Array(taken.length)).set(old[2]);
  };
  const childColumn = new Int32Array(columns + 1);
  // Where the search begins, for nodes with one child and with several: it moves up for good where it has become slow.
  const begin = [1, 1];
  let top = 1;

  /** A base of its own that puts every child on a free slot. */
  function placeFor(children: number): number {
    const first = childColumn[0]!;
    const which = children === 1 ? 0 : 1;
    let tries = 0;
    search: for (let slot = Math.max(begin[which]!, first + 1); ; slot++) {
      if (slot + columns >= taken.length) grow();
      const base = slot - first;
      tries++;
      if (taken[slot] === 1 || isBase[base] === 1) continue;
      for (let k = 1; k < children; k++) if (taken[base + childColumn[k]!] === 1) continue search;
      if (tries > MOST_TRIES) begin[which] = slot;
      isBase[base] = 1;
      return base;
    }
  }

  /**
   * Gives a node's children their slots and returns its cell; the pieces `low … high` share its path of `depth` units.
   * Depth first, so that the nodes of one path lie side by side and a walk waits for memory less often.
   */
  function place(low: number, high: number, depth: number): number {
    const ends = lengthOf(pieces, low) === depth ? 1 : 0;
    const first = low + ends;
    if (first === high) return ends;
    let children = 0;
    for (let at = first; at < high; at = sameUnitUntil(pieces, at, high, depth))
      childColumn[children++] = columnOf[pieces.units[pieces.starts[at]! + depth]!]!;
    const base = placeFor(children);
    for (let k = 0; k < children; k++) taken[base + childColumn[k]!] = 1;
    for (let at = first; at < high;) {
      const next = sameUnitUntil(pieces, at, high, depth);
      const column = columnOf[pieces.units[pieces.starts[at]! + depth]!]!;
      const slot = base + column;
      top = Math.max(top, slot + 1);
      // After the call, in which the cells may have grown into another array.
      const cell = place(at, next, depth + 1);
      cells[slot] = cell | (column << 1);
      at = next;
    }
    return (base << BASE_SHIFT) | ends;
  }

  for (let low = 0, high = 0; low < pieces.count; low = high) {
    high = sameUnitUntil(pieces, low, pieces.count, 0);
    const cell = place(low, high, 1);
    // A piece of one unit alone is no node.
    if (cell !== 1) rootOf[pieces.units[pieces.starts[low]!]!] = cell;
  }
  if (top > LARGEST_BASE || columns > COLUMN_MASK)
    throw new Error(`a vocabulary of ${top} nodes and ${columns} units does not fit the prefix tree`);
  return { rootOf, columnOf, cells: cells.slice(0, top + columns + 1) };
}

/** For which counts `before`, then so many times `unit` (one or more), then `after` is a piece of two or more units. */
export function pieceLengths(trie: Trie, before: readonly number[], unit: number, after: readonly number[]): number[] {
  const lengths: number[] = [];
  const [first = unit, ...path] = before;
  let cell = path.reduce((at, next) => childOf(trie, at, next), trie.rootOf[first]!);
  let count = before.length === 0 ? 1 : 0;
  while (cell !== 0) {
    const last = after.reduce((at, next) => childOf(trie, at, next), cell);
    if (count > 0 && (last & 1) === 1) lengths.push(count);
    cell = childOf(trie, cell, unit);
    count++;
  }
  return lengths;
}

/** The cell of the child of `cell` for `unit`, or 0. */
function childOf({ cells, columnOf }: Trie, cell: number, unit: number): number {
  const column = columnOf[unit]!;
  const child = cells[(cell >>> BASE_SHIFT) + column]!;
  return column !== 0 && ((child >>> 1) & COLUMN_MASK) === column ? child : 0;
}

function lengthOf({ starts }: Pieces, piece: number): number {
  return starts[piece + 1]! - starts[piece]!;
}

/** The first piece behind `low` (at most `high`) whose unit at `depth` is another one. */
function sameUnitUntil({ units, starts }: Pieces, low: number, high: number, depth: number): number {
  const unit = units[starts[low]! + depth];
  let end = low + 1;
  while (end < high && units[starts[end]! + depth] === unit) end++;
  return end;
}

/** Columns in order of frequency, so that siblings lie close together. */
function assignColumns(pieces: Pieces): { columnOf: Uint16Array; columns: number } {
  const frequency = new Int32Array(0x10000);
  for (let k = 0; k < pieces.count; k++)
    for (let at = pieces.starts[k]! + 1; at < pieces.starts[k + 1]!; at++) frequency[pieces.units[at]!]!++;
  const seen: number[] = [];
  for (let unit = 0; unit < frequency.length; unit++) if (frequency[unit] !== 0) seen.push(unit);
  seen.sort((a, b) => frequency[b]! - frequency[a]!);
  const columnOf = new Uint16Array(0x10000);
  seen.forEach((unit, index) => (columnOf[unit] = index + 1));
  return { columnOf, columns: seen.length };
}
