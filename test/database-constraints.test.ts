import assert from 'node:assert/strict';
import pg from 'pg';
import { afterAll, beforeAll, test } from 'vitest';
import { constraintCases, findWrongRows, listConstraints } from './support/constraint-cases.ts';
import { createTestDatabase, type TestDatabase } from './support/database.ts';

/** Values that the tables reject from every role. The service validates them earlier; stored, they would do harm. */
let db: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  db = await createTestDatabase();
  client = new pg.Client({ connectionString: db.ownerUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await db.drop();
});

test('has a case for every check and unique constraint', async () => {
  const names = (await listConstraints(client)).map(({ name }) => name);
  assert.deepEqual([...names].sort(), Object.keys(constraintCases).sort());
});

for (const name of Object.keys(constraintCases)) {
  test(`enforces ${name}`, async () => {
    const constraint = (await listConstraints(client)).find((candidate) => candidate.name === name);
    assert.ok(constraint, 'the constraint is missing');
    await client.query('begin');
    try {
      assert.deepEqual(await findWrongRows(client, constraint), []);
    } finally {
      await client.query('rollback');
    }
  });
}
