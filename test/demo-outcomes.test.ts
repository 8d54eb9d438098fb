// @module-tag slow
import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { type Fault, faults } from './fakes/identity-provider/faults.ts';
import { faultPoints, oracle } from './support/demo-outcomes/oracle.ts';
import { openTestBench } from './support/demo-outcomes/test-bench.ts';
import { runCase } from './support/demo-outcomes/run-case.ts';
import { runsLongTests, seed } from './support/long-tests.ts';

/**
 * Every run tries another third of the faults. `LONG_TESTS=on npm test -- demo-outcomes` tries each fault of each call.
 */
const SHARD_COUNT = runsLongTests ? 1 : 3;

describe.concurrent('returns the specified response for every way in which a provider call can end', () => {
  console.log(`faults of SEED=${seed}`);
  for (const [i, point] of faultPoints.entries())
    test(point, async (t) => {
      const bench = await openTestBench(t);
      const names = (Object.keys(faults) as Fault[]).filter((_, k) => (k + i + seed) % SHARD_COUNT === 0);
      const found = [];
      for (const fault of names) found.push({ fault, ...(await runCase(bench, point, fault)) });
      assert.deepEqual(
        found,
        names.map((fault) => ({ fault, outcome: oracle[fault][i], violations: [] })),
      );
    });
});
