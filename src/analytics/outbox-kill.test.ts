import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runOutboxKills } from '../../test/support/outbox-kill/run-outbox-kills.ts';

test('no event is missing by its id after kills of the process, whatever the receiver refuses', async () => {
  const outcome = await runOutboxKills({ events: 600, kills: 2, seed: 7, longest: 60 });
  assert.deepEqual([outcome.missing, outcome.quarantined, outcome.kills], [[], [outcome.poisoned], 2]);
});
