/** Value range of a chart, and the round values of its grid lines. */
export interface ChartScale {
  low: number;
  high: number;
  lines: readonly number[];
}

/** Space above the highest and below the lowest value, as a fraction of the range. */
const PADDING_RATIO = 0.06;
const MAX_LINES = 4;
const ROUND_STEPS = [1, 2, 2.5, 5, 10];

/**
 * Returns a scale with all values and two to four round grid lines. A flat line gets a fraction of its value above and
 * below.
 */
export function computeChartScale(values: readonly number[]): ChartScale {
  const minValue = Math.min(...values);
  const maxValue = Math.max(...values);
  const valueRange = maxValue - minValue;
  // Averages and splits can leave a rounding difference between equal prices.
  const padding = valueRange > Math.abs(maxValue) * 1e-6 ? valueRange * PADDING_RATIO : Math.abs(maxValue) * 0.01 || 1;
  const low = minValue - padding;
  const high = maxValue + padding;
  const magnitude = 10 ** Math.floor(Math.log10((high - low) / MAX_LINES));
  const listLines = (step: number): number[] => {
    const firstStep = Math.ceil(low / step);
    const count = Math.max(0, Math.floor(high / step) - firstStep + 1);
    // The values are computed from whole steps, so that no grid line is at 0.30000000000000004.
    return Array.from({ length: count }, (_, index) => Number(((firstStep + index) * step).toPrecision(12)));
  };
  const fittingLines = [...ROUND_STEPS, ...ROUND_STEPS.map((round) => round * 10)]
    .map((round) => listLines(round * magnitude))
    .find(({ length }) => length <= MAX_LINES);
  return { low, high, lines: fittingLines ?? [] };
}

/** Returns the vertical position of a value, from 0 (top) to 1 (bottom). */
export const toFractionFromTop = (value: number, { low, high }: ChartScale): number => (high - value) / (high - low);
