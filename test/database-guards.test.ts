import { afterAll, beforeAll, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './support/database.ts';
import { guardCases, prepareGuards, runGuardCases } from './support/guard-cases.ts';

/** Rules of SQL functions and views, tested without row-level security, so that no other guard hides theirs. */
let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await prepareGuards(db);
});
afterAll(() => db.drop());

for (const guardCase of guardCases) test(guardCase.title, () => runGuardCases(db, [guardCase]));
