import assert from 'node:assert/strict';
import { test } from 'vitest';
import { startReplicas } from './support/demo-kill/replicas.ts';
import { runKill } from './support/demo-kill/run-kill.ts';
import { everything, seed as anySeed } from './support/long-tests.ts';

test('sign-in links keep their rules when a service process is killed', async (t) => {
  const replicas = await startReplicas();
  t.onTestFinished(() => replicas.close());
  const first = anySeed % 1_000_000;
  console.log(`kills from seed ${first}: SEED=${first}`);
  for (let seed = first; seed < first + (everything ? 20 : 2); seed += 1) {
    const { wrong } = await runKill(replicas, seed);
    assert.deepEqual(wrong, [], `seed ${seed}`);
  }
});
