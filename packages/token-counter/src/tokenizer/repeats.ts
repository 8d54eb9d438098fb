/** Fewest tokens for n equal units, by pieces that are runs of that unit. White space is counted by this alone. */

/** Cost of `count` (≥ 0) units in a row. */
export type RepeatCost = (count: number) => number;

/**
 * `lengths`: of the pieces that are runs of the unit (each costs 1); `single` what one unit costs alone. With a largest
 * piece of M units some best segmentation uses at most M − 1 smaller ones, so beyond (M − 1)² every segmentation may start with
 * the largest. The table mostly ends far earlier: once M counts in a row may start with it, so may all that follow,
 * since each looks back at no more than M.
 */
export function repeatCost(lengths: readonly number[], single = 1): RepeatCost {
  if (lengths.length === 0) return (count) => count * single;
  const largest = Math.max(...lengths);
  const costs = new Uint16Array((largest - 1) * (largest - 1) + largest + 1);
  let known = 0;
  // Counts up to `known` without a gap that may start with the largest piece.
  let steady = 0;
  return (count) => {
    for (; known < count && known + 1 < costs.length && steady < largest; known++) {
      const next = known + 1;
      let least = costs[known]! + single;
      for (const length of lengths) if (length <= next) least = Math.min(least, costs[next - length]! + 1);
      costs[next] = least;
      steady = next >= largest && least === costs[next - largest]! + 1 ? steady + 1 : 0;
    }
    if (count <= known) return costs[count]!;
    const whole = Math.ceil((count - known) / largest);
    return whole + costs[count - whole * largest]!;
  };
}
