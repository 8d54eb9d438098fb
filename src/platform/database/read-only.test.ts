import assert from 'node:assert/strict';
import { type TestContext, test } from 'vitest';
import { createTestDatabase } from '../../../test/support/database.ts';
import { ADA, BOB, seedSqlFixture } from '../../../test/support/sql-fixture.ts';

const CAPS = { rows: 10, bytes: 100_000, cost: Infinity };
const TOO_LONG = 'select count(*) from closes a, closes b, closes c where a.close + b.close + c.close < 0';
/** Returns a statement that joins this number of closes three times. Its time is cubic. */
const createJoin = (closes: number): string =>
  `with part as (select * from closes where symbol = 'AAPL' order by day limit ${closes})
   select count(*) from part a join part b on a.close < b.close + 1 join part c on b.close > c.close - 1`;

async function openDatabase(t: TestContext) {
  const db = await createTestDatabase(t);
  await seedSqlFixture(db);
  const { run } = db.database.readOnly!;
  /** Returns the timeout of the server for a statement of this member in ms. */
  const timeoutFor = async (member: string): Promise<string | null | undefined> => {
    const answer = await run(member, "select setting from pg_settings where name = 'statement_timeout'", CAPS);
    assert.ok(answer.ok);
    return answer.rows[0]?.[0];
  };
  return { db, run, timeoutFor };
}

test('moves a member to the slow connections when their quick time is used up', { tags: ['slow'] }, async (t) => {
  const { run, timeoutFor } = await openDatabase(t);
  assert.equal(await timeoutFor(ADA), '250');
  // The joins grow until they take time on a machine of any speed.
  for (let closes = 100; closes < 500 && (await timeoutFor(ADA)) === '250'; closes += 10)
    await run(ADA, createJoin(closes), CAPS);
  assert.equal(await timeoutFor(ADA), '2250');
  assert.equal(await timeoutFor(BOB), '250', 'other members keep theirs');
});

test(
  'runs a statement again on the slow connections when it exceeds the quick limit',
  { tags: ['slow'] },
  async (t) => {
    const { run } = await openDatabase(t);
    const answer = await run(ADA, TOO_LONG, CAPS);
    assert.ok(!answer.ok && answer.reason === 'error' && answer.code === '57014', JSON.stringify(answer));
    assert.ok(answer.milliseconds >= 250 + 2_250, `${answer.milliseconds} ms`);
  },
);

test('gives a member one quick and one slow connection for concurrent statements', { tags: ['slow'] }, async (t) => {
  const { db, run } = await openDatabase(t);
  await Promise.all([run(ADA, TOO_LONG, CAPS), run(ADA, TOO_LONG, CAPS)]);
  const [opened] = await db.owner<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where usename = 'assistant_authenticator' and datname = $1`,
    [db.name],
  );
  assert.equal(opened!.count, 2);
});
