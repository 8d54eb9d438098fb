// @module-tag slow
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { runsLongTests, seed } from '../../../test/support/long-tests.ts';
import { fuzzRequests } from '../../../test/support/fuzz-requests.ts';

test('mutated requests: no 500, no hang, counts within their bounds', async () => {
  const requests = runsLongTests ? 2_000 : 600;
  // On a machine that is busy otherwise a request waits for its turn: only what never ends is a hang.
  const report = await fuzzRequests(requests, seed % 1_000_000, 60_000);
  console.log(JSON.stringify(report));
  assert.ok(report.requests >= requests);
  const share = (status: string): number => (report.byStatus[status] ?? 0) / requests;
  assert.ok(share('200') > 0.5 && share('400') > 0.15, JSON.stringify(report));
});
