/** Error statistics of counts compared with the recorded counts. */
export interface CountedRecord {
  id: string;
  source: string;
  counted: number;
  recorded: number;
  /** The known error of the recording. */
  knownError?: string;
}

export interface ErrorStatistics {
  n: number;
  /** Shares in percent. */
  exact: number;
  withinOne: number;
  /** Absolute errors in percent of the recorded count. */
  median: number;
  p90: number;
  p95: number;
  max: number;
  /** Sum of (counted − recorded) / recorded, in percent. */
  bias: number;
}

/** Returns the absolute error in percent of the recorded count. */
export function computeErrorPercent({ counted, recorded }: CountedRecord): number {
  return (100 * Math.abs(counted - recorded)) / recorded;
}

export function computeStatistics(rows: readonly CountedRecord[]): ErrorStatistics | undefined {
  if (rows.length === 0) return undefined;
  const errors = rows.map(computeErrorPercent).sort((a, b) => a - b);
  const quantile = (fraction: number): number => errors[Math.max(0, Math.ceil(fraction * errors.length) - 1)] ?? 0;
  const percentage = (matches: (row: CountedRecord) => boolean): number =>
    (100 * rows.filter(matches).length) / rows.length;
  const sum = (select: (row: CountedRecord) => number): number => rows.reduce((total, row) => total + select(row), 0);
  return {
    n: rows.length,
    exact: percentage((row) => row.counted === row.recorded),
    withinOne: percentage((row) => computeErrorPercent(row) <= 1),
    median: quantile(0.5),
    p90: quantile(0.9),
    p95: quantile(0.95),
    max: quantile(1),
    bias: (100 * sum((row) => row.counted - row.recorded)) / sum((row) => row.recorded),
  };
}

/** Returns the rows with the largest relative error. */
export function listWorst(rows: readonly CountedRecord[], count: number): CountedRecord[] {
  return rows
    .filter((row) => row.counted !== row.recorded)
    .sort((a, b) => computeErrorPercent(b) - computeErrorPercent(a))
    .slice(0, count);
}
