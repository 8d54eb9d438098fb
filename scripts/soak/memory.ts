import { readFileSync } from 'node:fs';

interface Sample {
  /** Minutes since the begin. */
  at: number;
  /** Megabytes of the process's pages in memory. */
  mb: number;
}

/** Looks every two seconds at how much memory processes hold. Linux only. */
export function watchMemory(processes: Readonly<Record<string, () => readonly number[]>>) {
  const begun = performance.now();
  const samples = new Map<string, Sample[]>(Object.keys(processes).map((name) => [name, []]));
  const timer = setInterval(() => {
    for (const [name, pids] of Object.entries(processes)) {
      const mb = pids().reduce((sum, pid) => sum + residentOf(pid), 0);
      if (mb > 0) samples.get(name)!.push({ at: (performance.now() - begun) / 60_000, mb });
    }
  }, 2_000);
  return {
    minutes: () => (performance.now() - begun) / 60_000,
    stop: () => clearInterval(timer),
    /** Megabytes a minute by least squares between two moments, and the memory at the end of them. */
    slope(name: string, from: number, until = Infinity): { perMinute: number; mb: number } {
      const some = samples.get(name)!.filter(({ at }) => at >= from && at <= until);
      const mean = (pick: (sample: Sample) => number): number =>
        some.reduce((sum, sample) => sum + pick(sample), 0) / some.length;
      const [x, y] = [mean(({ at }) => at), mean(({ mb }) => mb)];
      const upper = some.reduce((sum, { at, mb }) => sum + (at - x) * (mb - y), 0);
      const lower = some.reduce((sum, { at }) => sum + (at - x) ** 2, 0);
      return { perMinute: upper / lower, mb: some.at(-1)?.mb ?? Number.NaN };
    },
  };
}

function residentOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return 0;
  }
}
