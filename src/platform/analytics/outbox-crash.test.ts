// @module-tag slow
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { runOutboxKills } from '../../../test/support/outbox-crash/run-outbox-kills.ts';

test('loses no event id when processes are killed and the receiver rejects requests', async () => {
  const outcome = await runOutboxKills({ events: 600, kills: 2, seed: 7 });
  const { missing, duplicated: twice, quarantined, poisoned } = outcome;
  assert.deepEqual([missing, twice, quarantined], [[], 0, [poisoned]]);
});
