// @module-tag slow
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { runOutboxKills } from '../../../test/support/outbox-crash/run-outbox-kills.ts';

test('no event is missing by its id after kills of the process, whatever the receiver refuses', async () => {
  const outcome = await runOutboxKills({ events: 600, kills: 2, seed: 7, longest: 60 });
  const { missing, duplicated: twice, quarantined, kills, poisoned } = outcome;
  assert.deepEqual([missing, twice, quarantined, kills], [[], 0, [poisoned], 2]);
});
