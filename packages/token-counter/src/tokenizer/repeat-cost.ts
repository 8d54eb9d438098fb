/** Fewest tokens for n equal units, by pieces that are runs of that unit. White space is counted by this alone. */

/** Cost of `count` (≥ 0) units in a row. */
export type RepeatCost = (count: number) => number;

/**
 * `lengths`: of the pieces that are runs of the unit (each costs 1); `single` what one unit costs alone. With a largest
 * piece of M units some best segmentation uses at most M − 1 smaller ones, so beyond (M − 1)² every segmentation may start with
 * the largest. The table mostly ends far earlier: once M counts in a row may start with it, so may all that follow,
 * since each looks back at no more than M.
 */
export function createRepeatCost(lengths: readonly number[], singleCost = 1): RepeatCost {
  if (lengths.length === 0) return (count) => count * singleCost;
  const maxLength = Math.max(...lengths);
  const costs = new Uint16Array((maxLength - 1) * (maxLength - 1) + maxLength + 1);
  let computedCount = 0;
  // Counts up to `known` without a gap that may start with the largest piece.
  let stableCount = 0;
  return (count) => {
    for (; computedCount < count && computedCount + 1 < costs.length && stableCount < maxLength; computedCount++) {
      const next = computedCount + 1;
      let minCost = costs[computedCount]! + singleCost;
      for (const length of lengths) if (length <= next) minCost = Math.min(minCost, costs[next - length]! + 1);
      costs[next] = minCost;
      stableCount = next >= maxLength && minCost === costs[next - maxLength]! + 1 ? stableCount + 1 : 0;
    }
    if (count <= computedCount) return costs[count]!;
    const maxLengthPieces = Math.ceil((count - computedCount) / maxLength);
    return maxLengthPieces + costs[count - maxLengthPieces * maxLength]!;
  };
}
