// @module-tag slow
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { operations } from './support/contract-fuzz/contract.ts';
import { fuzzContract } from './support/contract-fuzz/run.ts';

test('requests made of the OpenAPI document get answers that it describes, and nothing of others', async () => {
  const requests = 5 * operations.length;
  const { findings, succeeded, statuses } = await fuzzContract({ requests, seed: 20_261_123 });
  assert.deepEqual(findings, []);
  // Else the requests are so unsound that nothing was tried.
  assert.ok(succeeded > operations.length / 3, JSON.stringify(statuses));
});
