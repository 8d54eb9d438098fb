import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { runsLongTests } from '../../../../test/support/long-tests.ts';
import { readAttacks, runAttacks, runPastParser } from '../../../../test/support/sql-attacks/run-attacks.ts';
import { seedSqlFixture } from '../../../../test/support/sql-fixture.ts';

const attacks = readAttacks();
let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await seedSqlFixture(db);
});
afterAll(() => db.drop());

test('rejects every attack with the guard that is meant for it', async () => {
  assert.ok(attacks.length >= 400);
  const { faults, ...measurements } = await runAttacks(db, attacks);
  console.log(`${attacks.length} statements: ${JSON.stringify(measurements)}`);
  assert.deepEqual(faults, []);
});

test("limits the database role to the member's rows when the parser is bypassed", async () => {
  const parserRejected = attacks.filter(({ expected }) => ['shape', 'name', 'type'].includes(expected));
  assert.ok(parserRejected.length > 300);
  assert.deepEqual(
    await runPastParser(db, runsLongTests ? parserRejected : parserRejected.filter((_, index) => index % 5 === 0)),
    [],
  );
});
