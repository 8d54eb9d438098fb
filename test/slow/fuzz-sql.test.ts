// @module-tag slow
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { seed } from '../support/long-tests.ts';
import { fuzzSql } from '../support/sql-attacks/fuzz-sql.ts';
import { seedSqlFixture } from '../support/sql-fixture.ts';

const MINUTE_MS = 60_000;

test('keeps mutated SQL of a member inside its guards for two minutes', async (t) => {
  console.log(`SEED=${seed}`);
  const db = await createTestDatabase(t);
  await seedSqlFixture(db);
  const ends = performance.now() + 2 * MINUTE_MS;
  const { faults, statements, answered } = await fuzzSql(db, { seed, ends });
  assert.ok(answered > statements / 100, `${answered} of ${statements}`);
  assert.deepEqual(faults, []);
});
