// @module-tag slow
import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { checkBilling } from '../../../test/support/billing-properties.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { seed } from '../../../test/support/long-tests.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

test('converges to the provider’s state for repeated, late, interrupted deliveries', async () => {
  console.log(`SEED=${seed}`);
  const { sequences, crashes } = await checkBilling(db, 40, seed);
  assert.ok(sequences === 40 && crashes > 0);
});

test('detects a version that trusts the content of events', async () => {
  await assert.rejects(checkBilling(db, 200, seed, { source: 'payload' }), /Property failed/);
});
