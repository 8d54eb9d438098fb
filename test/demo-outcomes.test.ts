// @module-tag slow
import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { type Fault, faults } from './fakes/identity-provider/faults.ts';
import { columns, expected } from './support/demo-outcomes/expected.ts';
import { openStage } from './support/demo-outcomes/stage.ts';
import { tryCell } from './support/demo-outcomes/try-cell.ts';
import { everything, seed } from './support/long-tests.ts';

/** `LONG_TESTS=on npm test -- demo-outcomes` tries each fault of each call; every run tries another third of them. */
const PARTS = everything ? 1 : 3;

describe.concurrent('every way in which a call of the provider can end is answered as specified', () => {
  console.log(`faults of SEED=${seed}`);
  for (const [i, column] of columns.entries())
    test(column, async (t) => {
      const stage = await openStage(t);
      const names = (Object.keys(faults) as Fault[]).filter((_, k) => (k + i + seed) % PARTS === 0);
      const found: string[] = [];
      for (const fault of names) {
        const { outcome, wrong } = await tryCell(stage, column, fault);
        found.push([fault, outcome, ...wrong].join(': '));
      }
      assert.deepEqual(
        found,
        names.map((fault) => `${fault}: ${expected[fault][i]}`),
      );
    });
});
