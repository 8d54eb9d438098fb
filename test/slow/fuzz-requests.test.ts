// @module-tag slow
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { operations } from '../support/contract-fuzz/contract.ts';
import { fuzzContract } from '../support/contract-fuzz/run.ts';
import { fuzzRequests } from '../support/fuzz-requests.ts';
import { seed } from '../support/long-tests.ts';

const MINUTE_MS = 60_000;

test('returns bounded counts without errors when 10,000 requests are mutated', async () => {
  console.log(`SEED=${seed}`);
  const report = await fuzzRequests(10_000, seed % 1_000_000, MINUTE_MS);
  console.log(JSON.stringify(report));
  assert.equal(report.byStatus['500'], undefined);
  assert.ok(report.requests >= 10_000);
});

test('returns only documented responses when 2,000 requests are generated', async () => {
  console.log(`SEED=${seed}`);
  const { findings, succeeded } = await fuzzContract({ requests: 2_000, seed: seed % 1_000_000 });
  assert.deepEqual(findings, []);
  assert.ok(succeeded > operations.length / 3);
});
