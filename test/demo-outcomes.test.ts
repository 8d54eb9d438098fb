import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Fault, faults } from './fakes/identity-provider/faults.ts';
import { columns, expected } from './support/demo-outcomes/expected.ts';
import { openStage } from './support/demo-outcomes/stage.ts';
import { tryCell } from './support/demo-outcomes/try-cell.ts';

test('every way in which a call of the provider can end is answered as specified', { concurrency: true }, async (t) => {
  await Promise.all(
    columns.map((column, i) =>
      t.test(column, async (t) => {
        const stage = await openStage(t);
        const names = Object.keys(faults) as Fault[];
        const found: string[] = [];
        for (const fault of names) {
          const { outcome, wrong } = await tryCell(stage, column, fault);
          found.push([fault, outcome, ...wrong].join(': '));
        }
        assert.deepEqual(
          found,
          names.map((fault) => `${fault}: ${expected[fault][i]}`),
        );
      }),
    ),
  );
});
