import { readFileSync } from 'node:fs';

interface Sample {
  /** Minutes since the begin. */
  at: number;
  value: number;
}

/** Megabytes that processes hold in memory, all together. Linux only. */
export const residentMb = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + residentOf(pid), 0);

/** Reads figures every three seconds, such as megabytes; what cannot be read, or is nothing, is left out. */
export function watchFigures(places: Readonly<Record<string, () => number | Promise<number>>>) {
  const begun = performance.now();
  const samples = new Map<string, Sample[]>(Object.keys(places).map((name) => [name, []]));
  const timer = setInterval(() => {
    for (const [name, read] of Object.entries(places))
      void Promise.resolve(read()).then(
        (value) => value > 0 && samples.get(name)!.push({ at: (performance.now() - begun) / 60_000, value }),
        () => {},
      );
  }, 3_000);
  return {
    minutes: () => (performance.now() - begun) / 60_000,
    stop: () => clearInterval(timer),
    /** What was read, from the least to the most. */
    sorted: (name: string): number[] =>
      samples
        .get(name)!
        .map(({ value }) => value)
        .toSorted((a, b) => a - b),
    /**
     * How much it grows a minute, by least squares between two moments, and the last figure. `floor`: of the least of
     * each half minute, which of a heap is about what its last collection left.
     */
    slope(
      name: string,
      { from, until = Infinity, floor = false }: { from: number; until?: number; floor?: boolean },
    ): { perMinute: number; last: number } {
      const all = samples.get(name)!.filter(({ at }) => at >= from && at <= until);
      const some = floor ? [...Map.groupBy(all, ({ at }) => Math.floor(at * 2)).values()].map(least) : all;
      const mean = (pick: (sample: Sample) => number): number =>
        some.reduce((sum, sample) => sum + pick(sample), 0) / some.length;
      const [x, y] = [mean(({ at }) => at), mean(({ value }) => value)];
      const upper = some.reduce((sum, { at, value }) => sum + (at - x) * (value - y), 0);
      const lower = some.reduce((sum, { at }) => sum + (at - x) ** 2, 0);
      return { perMinute: upper / lower, last: some.at(-1)?.value ?? Number.NaN };
    },
  };
}

const least = (some: readonly Sample[]): Sample => some.toSorted((a, b) => a.value - b.value)[0]!;

function residentOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return 0;
  }
}
