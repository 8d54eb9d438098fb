/** Error figures of a set of counts against the recorded ones. */
export interface Counted {
  id: string;
  source: string;
  counted: number;
  recorded: number;
  /** What is known to be wrong with the recording. */
  fault?: string;
}

export interface Figures {
  n: number;
  /** Shares in percent. */
  exact: number;
  withinOne: number;
  /** Absolute errors in percent of the recorded count. */
  median: number;
  p90: number;
  p95: number;
  max: number;
  /** (counted − recorded) over recorded, summed, in percent. */
  bias: number;
}

/** Absolute error in percent of the recorded count. */
export function errorOf({ counted, recorded }: Counted): number {
  return (100 * Math.abs(counted - recorded)) / recorded;
}

export function figuresOf(rows: readonly Counted[]): Figures | undefined {
  if (rows.length === 0) return undefined;
  const errors = rows.map(errorOf).sort((a, b) => a - b);
  const at = (share: number): number => errors[Math.max(0, Math.ceil(share * errors.length) - 1)] ?? 0;
  const share = (holds: (row: Counted) => boolean): number => (100 * rows.filter(holds).length) / rows.length;
  const sum = (of: (row: Counted) => number): number => rows.reduce((total, row) => total + of(row), 0);
  return {
    n: rows.length,
    exact: share((row) => row.counted === row.recorded),
    withinOne: share((row) => errorOf(row) <= 1),
    median: at(0.5),
    p90: at(0.9),
    p95: at(0.95),
    max: at(1),
    bias: (100 * sum((row) => row.counted - row.recorded)) / sum((row) => row.recorded),
  };
}

/** The rows that are furthest off, relative to their size. */
export function worstOf(rows: readonly Counted[], count: number): Counted[] {
  return rows
    .filter((row) => row.counted !== row.recorded)
    .sort((a, b) => errorOf(b) - errorOf(a))
    .slice(0, count);
}
