// @module-tag slow
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { checkBilling } from '../support/billing-properties.ts';
import { createTestDatabase } from '../support/database.ts';
import { seed } from '../support/long-tests.ts';

test("ends in the provider's billing state when events are repeated or late", async (t) => {
  console.log(`SEED=${seed}`);
  const { sequences, crashes } = await checkBilling(await createTestDatabase(t), 500, seed, { processes: 2 });
  assert.ok(sequences === 500 && crashes > 0);
});

test('detects a version that trusts the content of events', async (t) => {
  const checking = checkBilling(await createTestDatabase(t), 200, seed, { source: 'payload' });
  await assert.rejects(checking, /Property failed/);
});
