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

test('events that come twice, late and to processes that die end in the provider’s last truth', async () => {
  console.log(`SEED=${seed}`);
  const { sequences, crashes } = await checkBilling(db, 40, seed);
  assert.ok(sequences === 40 && crashes > 0);
});

test('the same check fails for a version that takes what events carry for the truth', async () => {
  await assert.rejects(checkBilling(db, 200, seed, { source: 'payload' }), /Property failed/);
});
