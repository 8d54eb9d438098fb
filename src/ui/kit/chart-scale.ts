/** The values from bottom to top of a chart, and a few round ones at which it has a line. */
interface ChartScale {
  low: number;
  high: number;
  lines: readonly number[];
}

/** Space above the highest and below the lowest value, as a part of what lies between them. */
const AIR = 0.06;
const MOST_LINES = 4;
const ROUND = [1, 2, 2.5, 5, 10];

/** A scale with all values and two to four round lines; a flat line has a little of its value above and below. */
export function chartScale(values: readonly number[]): ChartScale {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const spread = most - least;
  // Of equal prices an average or a split can leave a difference that is none.
  const air = spread > Math.abs(most) * 1e-6 ? spread * AIR : Math.abs(most) * 0.01 || 1;
  const [low, high] = [least - air, most + air];
  const power = 10 ** Math.floor(Math.log10((high - low) / MOST_LINES));
  const linesAt = (step: number): number[] => {
    const first = Math.ceil(low / step);
    const count = Math.max(0, Math.floor(high / step) - first + 1);
    // By whole steps, so that no line is at 0.30000000000000004.
    return Array.from({ length: count }, (_, index) => Number(((first + index) * step).toPrecision(12)));
  };
  const lines = [...ROUND, ...ROUND.map((round) => round * 10)]
    .map((round) => linesAt(round * power))
    .find(({ length }) => length <= MOST_LINES);
  return { low, high, lines: lines ?? [] };
}

/** How far from the top a value stands, from 0 (at the top) to 1 (at the bottom). */
export const depthOf = (value: number, { low, high }: ChartScale): number => (high - value) / (high - low);
