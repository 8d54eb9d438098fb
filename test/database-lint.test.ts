import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { lintDatabase, lints } from './support/database-lints.ts';
import { queryAsOwner } from './support/cluster.ts';
import { createTestDatabase, type TestDatabase } from './support/database.ts';
import pg from 'pg';

/** Deliberate violations of a rule: `rule: object` -> reason. An entry that no longer applies fails the test. */
const exceptions: Readonly<Record<string, string>> = {
  'unique rule of a member table without its owner: all_users_referral_link_key':
    'A link names one member of all, and is looked up before it is known whose it is.',
  'member table whose key does not begin with its owner: feature_flag_members':
    'Stays whole beside the flags: a handful of rows that operators make.',
};

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

test('finds no violation in the migrated database except the listed ones', async () => {
  const findings = await lintDatabase((sql) => queryAsOwner(db.ownerUrl, sql));
  const unexpected = findings.filter(({ lint, object }) => !exceptions[`${lint}: ${object}`]);
  assert.deepEqual(
    unexpected.map(({ lint, object, remedy }) => `${lint}: ${object}. ${remedy}`),
    [],
  );
  const found = new Set(findings.map(({ lint, object }) => `${lint}: ${object}`));
  assert.deepEqual(
    Object.keys(exceptions).filter((entry) => !found.has(entry)),
    [],
    'exceptions that are no longer needed',
  );
});

for (const { name, sql, violation } of lints) {
  test(`reports a violation of ${name}`, async () => {
    const client = new pg.Client({ connectionString: db.ownerUrl });
    await client.connect();
    try {
      const listViolations = async () => (await client.query<{ object: string }>(sql)).rows.map(({ object }) => object);
      await client.query('begin');
      assert.equal((await listViolations()).includes(violation.object), false);
      await client.query(violation.createViolation);
      assert.ok((await listViolations()).includes(violation.object), `${violation.object} was made and not reported`);
    } finally {
      await client.end(); // Closing the connection rolls back.
    }
  });
}
