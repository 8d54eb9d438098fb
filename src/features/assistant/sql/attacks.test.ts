import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { everything } from '../../../../test/support/long-tests.ts';
import { readAttacks, runAttacks, runPastParser } from '../../../../test/support/sql-attacks/run-attacks.ts';
import { furnishSqlRoom } from '../../../../test/support/sql-room.ts';

const attacks = readAttacks();
let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await furnishSqlRoom(db);
});
afterAll(() => db.drop());

test('no attack reads, writes, stays, lasts or swells, and each is refused by the guard meant for it', async () => {
  assert.ok(attacks.length >= 400);
  const { faults, ...figures } = await runAttacks(db, attacks);
  console.log(`${attacks.length} statements: ${JSON.stringify(figures)}`);
  assert.deepEqual(faults, []);
});

test('behind the parser the role itself reads no other row and writes nothing', async () => {
  const plain = attacks.filter(({ expected }) => ['shape', 'name', 'type'].includes(expected));
  assert.ok(plain.length > 300);
  assert.deepEqual(await runPastParser(db, everything ? plain : plain.filter((_, at) => at % 5 === 0)), []);
});
