import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { median } from './median.ts';

interface Attackers {
  /** Number of loops that repeat `attack`. */
  count: number;
  /** Sends one request of an attacker. The signal aborts at the end. */
  attack: (index: number, signal: AbortSignal) => Promise<void>;
  /** Returns whether the attack has taken effect, so that work may begin. */
  hasBegun: () => boolean;
}

/** Runs `work` while attackers repeat their requests. */
export async function runBesideAttackers<T>(attackers: Attackers, work: () => Promise<T>): Promise<T> {
  const end = new AbortController();
  const loops = Array.from({ length: attackers.count }, async (_, index) => {
    while (!end.signal.aborted) {
      await attackers.attack(index, end.signal);
      // An attack that is rejected at once must not block the loop of this process.
      await setTimeout(5);
    }
  });
  const workWhenBegun = async (): Promise<T> => {
    while (!attackers.hasBegun()) {
      await setTimeout(50);
      end.signal.throwIfAborted();
    }
    return work();
  };
  // An attack that fails ends the wait, so that its error is the test's.
  const failedAttack = Promise.all(loops).then(() => assert.fail('The attackers ended before the work.'));
  try {
    return await Promise.race([workWhenBegun(), failedAttack]);
  } finally {
    end.abort();
    await Promise.all(loops);
  }
}

/**
 * Returns how many times longer the 95th percentile of consecutive calls is beside attackers than alone, and prints
 * both. Other load of the machine comes and goes, so alone is the larger of the values before and after, and beside is
 * the median of three.
 */
export async function compareBesideAttackers(
  attackers: Attackers,
  { samples, call }: { samples: number; call: () => Promise<void> },
): Promise<number> {
  const measure = (): Promise<number> => measureP95(samples, call);
  await measure();
  const before = await measure();
  const beside = median(
    await runBesideAttackers(attackers, async () => [await measure(), await measure(), await measure()]),
  );
  const alone = Math.max(before, await measure());
  const ratio = beside / alone;
  console.log(`p95 alone ${alone.toFixed(1)} ms, beside attackers ${beside.toFixed(1)} ms: ${ratio.toFixed(1)} times`);
  return ratio;
}

/** Returns the 95th percentile in ms of consecutive calls. */
async function measureP95(samples: number, call: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const begun = performance.now();
    await call();
    times.push(performance.now() - begun);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(samples * 0.95)]!;
}
