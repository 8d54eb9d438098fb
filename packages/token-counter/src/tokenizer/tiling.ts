/** The cheapest tiling of a stretch of the marked stream with pieces of the vocabulary. */
import { BASE_SHIFT, COLUMN_MASK } from './trie.ts';
import type { Vocabulary } from './vocabulary.ts';

const UNREACHED = 0x3fffffff;

/** `tile(stream, length)`: the fewest tokens for `stream[0 … length)`. Linear: no further than the longest piece. */
export type Tile = (stream: Uint16Array, length: number) => number;

export function createTile(vocabulary: Vocabulary): Tile {
  const { rootOf, columnOf, cells } = vocabulary.trie;
  const { unit: unitCost, astral } = vocabulary.costs;
  let cost = new Int32Array(256);
  return (stream, length) => {
    if (cost.length <= length + 1) cost = new Int32Array(2 * length + 2);
    for (let at = 1; at <= length + 1; at++) cost[at] = UNREACHED;
    for (let from = 0; from < length; from++) {
      const before = cost[from]!;
      // Nothing is gained from within a surrogate pair, nor where one more piece already costs as much as the whole.
      if (before + 1 >= cost[length]!) continue;
      const unit = stream[from]!;
      let at = from + 1;
      if ((unit & 0xfc00) === 0xd800) {
        const point = ((unit & 0x3ff) << 10) + (stream[at]! & 0x3ff) + 0x10000;
        const whole = before + astral[point >> 6]!;
        if (whole < cost[from + 2]!) cost[from + 2] = whole;
      } else {
        const single = before + unitCost[unit]!;
        if (single < cost[at]!) cost[at] = single;
      }
      // A unit that no piece goes on with has column 0, which no cell says: free ones say it too, but they have no base
      // and no end.
      let cell = rootOf[unit]!;
      while (cell !== 0 && at < length) {
        const column = columnOf[stream[at]!]!;
        cell = cells[(cell >>> BASE_SHIFT) + column]!;
        if (((cell >>> 1) & COLUMN_MASK) !== column) break;
        at++;
        if ((cell & 1) === 1 && before + 1 < cost[at]!) cost[at] = before + 1;
      }
    }
    return cost[length]!;
  };
}
