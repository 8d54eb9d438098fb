// @module-tag slow
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { operations } from './support/contract-fuzz/contract.ts';
import { fuzzContract } from './support/contract-fuzz/run.ts';

test('returns documented responses to generated requests, and no data of other members', async () => {
  const requests = 5 * operations.length;
  const { findings, succeeded, statuses } = await fuzzContract({ requests, seed: 20_261_123 });
  assert.deepEqual(findings, []);
  // If too few requests are valid, the run proves nothing.
  assert.ok(succeeded > operations.length / 3, JSON.stringify(statuses));
});
