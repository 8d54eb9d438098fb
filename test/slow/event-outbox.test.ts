import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seed } from '../support/long-tests.ts';
import { runBrowserKills } from '../support/outbox-kill/run-browser-kills.ts';
import { runOutboxKills } from '../support/outbox-kill/run-outbox-kills.ts';

test('no event is lost or stored twice when the sender of 10,000 is killed 20 times', async (t) => {
  t.diagnostic(`SEED=${seed}`);
  const outcome = await runOutboxKills({ events: 10_000, kills: 20, seed, longest: 400 });
  assert.deepEqual(
    [outcome.missing, outcome.twice, outcome.quarantined, outcome.kills],
    [[], 0, [outcome.poisoned], 20],
  );
});

test('no event of a browser is lost or stored twice when its tabs are killed and its network fails', async (t) => {
  t.diagnostic(`SEED=${seed}`);
  const { missing, twice, kills, kept } = await runBrowserKills({ rounds: 20, seed });
  assert.deepEqual([missing, twice], [[], 0]);
  assert.ok(kills > 0 && kept > 0);
});
