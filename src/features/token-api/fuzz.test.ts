// @module-tag slow
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { runsLongTests, seed } from '../../../test/support/long-tests.ts';
import { fuzzRequests } from '../../../test/support/fuzz-requests.ts';

test('returns neither 500 nor counts out of bounds when requests are mutated', async () => {
  const requests = runsLongTests ? 2_000 : 600;
  // Requests may queue on a busy machine. Only a request that never ends counts as a hang.
  const report = await fuzzRequests(requests, seed % 1_000_000, 60_000);
  console.log(JSON.stringify(report));
  assert.ok(report.requests >= requests);
  const share = (status: string): number => (report.byStatus[status] ?? 0) / requests;
  assert.ok(share('200') > 0.5 && share('400') > 0.15, JSON.stringify(report));
});
