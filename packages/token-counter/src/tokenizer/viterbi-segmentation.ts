/** Segments marked text into as few vocabulary pieces as possible, by the Viterbi algorithm over the trie. */
import { BASE_SHIFT, CHECK_MASK } from './trie.ts';
import type { Vocabulary } from './vocabulary.ts';

const UNREACHED = 0x3fffffff;

/** Returns the minimum number of tokens of `marked[0 … length)`. */
export type Segmenter = (marked: Uint16Array, length: number) => number;

export function createSegmenter(vocabulary: Vocabulary): Segmenter {
  const { rootByUnit, codeByUnit, cells } = vocabulary.trie;
  const { unit: unitCost, astral: astralCost } = vocabulary.costs;
  // costs[at]: the minimum number of tokens before `at`.
  let costs = new Int32Array(256);
  return (marked, length) => {
    if (costs.length <= length + 1) costs = new Int32Array(2 * length + 2);
    for (let at = 1; at <= length + 1; at++) costs[at] = UNREACHED;
    for (let start = 0; start < length; start++) {
      const cost = costs[start]!;
      // Skip positions within a surrogate pair, and positions from which one more piece cannot improve the best cost.
      if (cost + 1 >= costs[length]!) continue;
      const unit = marked[start]!;
      let end = start + 1;
      if ((unit & 0xfc00) === 0xd800) {
        const codePoint = ((unit & 0x3ff) << 10) + (marked[end]! & 0x3ff) + 0x10000;
        const pairCost = cost + astralCost[codePoint >> 6]!;
        if (pairCost < costs[start + 2]!) costs[start + 2] = pairCost;
      } else {
        const unitTotal = cost + unitCost[unit]!;
        if (unitTotal < costs[end]!) costs[end] = unitTotal;
      }
      // A unit without a code has code 0. Free cells also have check 0, but neither a base nor an end flag.
      let cell = rootByUnit[unit]!;
      while (cell !== 0 && end < length) {
        const code = codeByUnit[marked[end]!]!;
        cell = cells[(cell >>> BASE_SHIFT) + code]!;
        if (((cell >>> 1) & CHECK_MASK) !== code) break;
        end++;
        if ((cell & 1) === 1 && cost + 1 < costs[end]!) costs[end] = cost + 1;
      }
    }
    return costs[length]!;
  };
}
