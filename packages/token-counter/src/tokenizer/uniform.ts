/**
 * Price of one unit many times over (rules of `=`, `-`, `*`), which the tiling would follow 64 steps from every place:
 * a first piece that holds the opening marker, a last one that holds the closing one, runs of the unit between.
 */
import { CLOSE, FORM_CLOSE, FORM_OPEN, OPEN } from './markers.ts';
import { repeatCost, type RepeatCost } from './repeats.ts';
import { pieceLengths } from './trie.ts';
import type { Vocabulary } from './vocabulary.ts';

interface Lengths {
  readonly between: RepeatCost;
  /** How many units the first and the last piece may take beside their marker. */
  readonly opening: readonly number[];
  readonly closing: readonly number[];
}

export function isUniform(units: Uint16Array, start: number, end: number): boolean {
  for (let k = start + 1; k < end; k++) if (units[k] !== units[start]) return false;
  return true;
}

/** Makes what prices `count` times `unit` with the markers of `form`; `count` above the longest such piece. */
export function createUniformPrice({ trie, costs }: Vocabulary) {
  const known = new Map<number, Lengths>();

  function lengthsOf(unit: number): Lengths {
    let lengths = known.get(unit);
    if (lengths === undefined) {
      lengths = {
        between: repeatCost(pieceLengths(trie, [], unit, []), costs.unit[unit]),
        opening: [0, ...pieceLengths(trie, [OPEN], unit, [])],
        closing: [0, ...pieceLengths(trie, [], unit, [CLOSE])],
      };
      known.set(unit, lengths);
    }
    return lengths;
  }

  return (unit: number, count: number, form: number): number => {
    const { between, opening, closing } = lengthsOf(unit);
    const first = (form & FORM_OPEN) !== 0 ? opening : undefined;
    const last = (form & FORM_CLOSE) !== 0 ? closing : undefined;
    let least = Infinity;
    for (const a of first ?? [0]) {
      for (const b of last ?? [0]) if (a + b <= count) least = Math.min(least, between(count - a - b));
    }
    return least + (first ? 1 : 0) + (last ? 1 : 0);
  };
}
