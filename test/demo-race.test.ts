import assert from 'node:assert/strict';
import { test } from 'vitest';
import { openDeployment } from './support/demo-race/deployment.ts';
import { planRound } from './support/demo-race/plan.ts';
import { runRound } from './support/demo-race/run-round.ts';
import { everything, seed as anySeed } from './support/long-tests.ts';

test('sign-in links keep their rules while processes race and stop at any step', async (t) => {
  const deployment = await openDeployment();
  t.onTestFinished(() => deployment.close());
  const first = anySeed % 1_000_000;
  console.log(`rounds from seed ${first}: SEED=${first}`);
  for (let seed = first; seed < first + (everything ? 1_000 : 40); seed += 1) {
    const { wrong } = await runRound(deployment, planRound(seed));
    assert.deepEqual(wrong, [], `seed ${seed}`);
  }
});
