/**
 * Computes the minimum tokens for n equal units, with pieces that are runs of that unit. White space is counted only by
 * this.
 */

/** Returns the cost of `count` (≥ 0) units in a row. */
export type RepeatCost = (count: number) => number;

/**
 * Creates the cost function of a unit. `lengths` are the lengths of the pieces that are runs of the unit (each costs
 * 1). `singleCost` is the cost of one unit. With a largest piece of M units, some best segmentation has at most M − 1
 * smaller ones. So beyond (M − 1)² every segmentation may start with the largest. The table usually ends far earlier:
 * if M consecutive counts may start with it, all later counts may, since each depends on the M before.
 */
export function createRepeatCost(lengths: readonly number[], singleCost = 1): RepeatCost {
  if (lengths.length === 0) return (count) => count * singleCost;
  const maxLength = Math.max(...lengths);
  const costs = new Uint16Array((maxLength - 1) * (maxLength - 1) + maxLength + 1);
  let computedCount = 0;
  // Number of consecutive counts up to the current one that may start with the largest piece.
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
