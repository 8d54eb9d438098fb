import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzRequests } from '../../scripts/fuzz-requests.ts';

test('two thousand mutated requests (100,000 by `npm run lab -- fuzz`): no 500, no hang, counts within their bounds', async (t) => {
  const report = await fuzzRequests(2_000, Date.now() % 1_000_000, 10_000);
  t.diagnostic(JSON.stringify(report));
  assert.ok(report.requests >= 2_000);
  assert.ok((report.byStatus['200'] ?? 0) > 1_000 && (report.byStatus['400'] ?? 0) > 300, JSON.stringify(report));
});
