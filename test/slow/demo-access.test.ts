// @module-tag slow
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { openDeployment } from '../support/demo-race/deployment.ts';
import { planRound } from '../support/demo-race/plan.ts';
import { runRound } from '../support/demo-race/run-round.ts';
import { seed } from '../support/long-tests.ts';

test('satisfies the rules of sign-in links in 500 rounds of racing processes', async (t) => {
  console.log(`SEED=${seed}`);
  const deployment = await openDeployment();
  t.onTestFinished(() => deployment.close());
  for (let round = 0; round < 500; round += 1) {
    const violations = await runRound(deployment, planRound((seed % 1_000_000) + round));
    assert.deepEqual(violations, [], `round ${round}`);
  }
});

test('detects a broken rule when sessions of sign-in links need not be unique', async (t) => {
  const deployment = await openDeployment();
  t.onTestFinished(() => deployment.close());
  await deployment.db.owner(
    'alter table public.demo_access_invitations drop constraint demo_access_invitations_session_id_key',
  );
  let broken = 0;
  for (let round = 0; round < 1_000 && broken === 0; round += 1)
    broken += (await runRound(deployment, planRound(20_261_123 + round))).length;
  assert.ok(broken > 0);
});
