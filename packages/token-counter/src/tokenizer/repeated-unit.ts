/**
 * Counts one unit that is repeated many times, such as rules of `=`, `-`, `*`. The general segmenter would try 64 trie
 * steps from every position. The segments are a first piece with the opening marker, runs of the unit, and a last piece
 * with the closing marker.
 */
import { CLOSE, CLOSE_MARKER, OPEN, OPEN_MARKER } from './markers.ts';
import { createRepeatCost, type RepeatCost } from './repeat-cost.ts';
import { repeatLengths } from './trie.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Pieces of a repeated unit. */
interface RepeatPieces {
  readonly between: RepeatCost;
  /** Possible numbers of units in a piece with the opening marker, and in a piece with the closing marker. */
  readonly opening: readonly number[];
  readonly closing: readonly number[];
}

export function isRepeatedUnit(units: Uint16Array, start: number, end: number): boolean {
  for (let k = start + 1; k < end; k++) if (units[k] !== units[start]) return false;
  return true;
}

/**
 * Returns a function that counts `count` times `unit` between markers. `count` is greater than the longest such piece.
 */
export function createRepeatedUnitCounter({ trie, costs }: Vocabulary) {
  const cache = new Map<number, RepeatPieces>();

  function getRepeatPieces(unit: number): RepeatPieces {
    let pieces = cache.get(unit);
    if (pieces === undefined) {
      pieces = {
        between: createRepeatCost(repeatLengths(trie, [], unit, []), costs.unit[unit]),
        opening: [0, ...repeatLengths(trie, [OPEN], unit, [])],
        closing: [0, ...repeatLengths(trie, [], unit, [CLOSE])],
      };
      cache.set(unit, pieces);
    }
    return pieces;
  }

  return (unit: number, count: number, markers: number): number => {
    const { between, opening, closing } = getRepeatPieces(unit);
    const first = (markers & OPEN_MARKER) !== 0 ? opening : undefined;
    const last = (markers & CLOSE_MARKER) !== 0 ? closing : undefined;
    let min = Infinity;
    for (const a of first ?? [0]) {
      for (const b of last ?? [0]) if (a + b <= count) min = Math.min(min, between(count - a - b));
    }
    return min + (first ? 1 : 0) + (last ? 1 : 0);
  };
}
