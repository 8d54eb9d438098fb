// @module-tag slow
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { seed } from '../support/long-tests.ts';
import { runOutboxKills } from '../support/outbox-crash/run-outbox-kills.ts';

test('loses or repeats no event when the sender of 5,000 is killed 10 times', async () => {
  console.log(`SEED=${seed}`);
  const outcome = await runOutboxKills({ events: 5_000, kills: 10, seed });
  assert.deepEqual([outcome.missing, outcome.duplicated, outcome.quarantined], [[], 0, [outcome.poisoned]]);
});
