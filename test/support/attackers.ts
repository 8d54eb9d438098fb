import { setTimeout } from 'node:timers/promises';

/** Returns the 95th percentile in ms of consecutive calls. */
export async function measureP95(samples: number, call: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const begun = performance.now();
    await call();
    times.push(performance.now() - begun);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(samples * 0.95)]!;
}

/** Repeats `attack` in `count` loops until `work` ends or fails. */
export async function withAttackers<T>(
  count: number,
  attack: (index: number) => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  let stop = false;
  const attackers = Array.from({ length: count }, async (_, index) => {
    while (!stop) {
      await attack(index);
      // An attack that is rejected at once must not block the loop of this process.
      await setTimeout(5);
    }
  });
  try {
    return await work();
  } finally {
    stop = true;
    await Promise.all(attackers);
  }
}
