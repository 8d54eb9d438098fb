// @module-tag slow
import { test } from 'vitest';
import { createTestDatabase } from '../../../test/support/database.ts';
import { runsLongTests, seed } from '../../../test/support/long-tests.ts';
import { checkSequences } from '../../../test/support/referral-properties.ts';

test('keeps the rules of each referral for reports in any order by two processes', async (t) => {
  const db = await createTestDatabase(t);
  const outcome = await checkSequences(db, runsLongTests ? 10_000 : 60, seed);
  console.log(`seed ${seed}: ${JSON.stringify(outcome)}`);
});
