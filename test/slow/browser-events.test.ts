// @module-tag slow
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { seed } from '../support/long-tests.ts';
import { runBrowserKills } from '../support/outbox-crash/run-browser-kills.ts';

test('loses or repeats no browser event when tabs are killed and the network fails', async () => {
  console.log(`SEED=${seed}`);
  const { missing, duplicated: twice, kills, stored: kept } = await runBrowserKills({ rounds: 10, seed });
  assert.deepEqual([missing, twice], [[], 0]);
  assert.ok(kills > 0 && kept > 0);
});
