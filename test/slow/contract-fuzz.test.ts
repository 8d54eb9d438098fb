// @module-tag slow
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { operations } from '../support/contract-fuzz/contract.ts';
import { fuzzContract } from '../support/contract-fuzz/run.ts';
import { seed } from '../support/long-tests.ts';

test('returns only documented responses when 2,000 requests are generated', async () => {
  console.log(`SEED=${seed}`);
  const { findings, succeeded } = await fuzzContract({ requests: 2_000, seed: seed % 1_000_000 });
  assert.deepEqual(findings, []);
  assert.ok(succeeded > operations.length / 3);
});
