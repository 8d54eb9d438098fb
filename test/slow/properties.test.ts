// @module-tag slow
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { checkBilling } from '../support/billing-properties.ts';
import { createTestDatabase } from '../support/database.ts';
import { seed } from '../support/long-tests.ts';
import { checkSequences } from '../support/referral-properties.ts';

test("ends in the provider's billing state when events are repeated or late", async (t) => {
  console.log(`SEED=${seed}`);
  const db = await createTestDatabase(t);
  const { sequences, crashes } = await checkBilling(db, 500, seed, { processes: 2 });
  assert.ok(sequences === 500 && crashes > 0);
});

test('satisfies the rules of referrals in 2,000 sequences of reports', async (t) => {
  console.log(`SEED=${seed}`);
  await checkSequences(await createTestDatabase(t), 2_000, seed);
});
