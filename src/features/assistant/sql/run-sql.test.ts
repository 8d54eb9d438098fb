import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { ADA, createSqlRunner, seedSqlFixture } from '../../../../test/support/sql-fixture.ts';
import { readableTables } from './readable-tables.ts';
import { runSql } from './run-sql.ts';

let db: TestDatabase;
let ask: ReturnType<typeof createSqlRunner>;
beforeAll(async () => {
  db = await createTestDatabase();
  await seedSqlFixture(db);
  ask = createSqlRunner(db.database);
});
afterAll(() => db.drop());

async function queryRows(sql: string) {
  const answer = await ask(sql);
  assert.ok(answer.ok, `${sql}: ${JSON.stringify(answer)}`);
  return answer.rows;
}

test('returns columns and arrays with JSON numbers and UTC times', async () => {
  assert.deepEqual(
    await ask(
      `select h.symbol, h.quantity, p.price, p.price_at, true as sure, null as nothing, date '2026-01-02' as day
         from holdings h join prices p using (symbol) where h.symbol = 'SAP'`,
    ),
    {
      ok: true,
      columns: ['symbol', 'quantity', 'price', 'price_at', 'sure', 'nothing', 'day'],
      rows: [['SAP', 4, 210, '2026-11-20T20:00:00.000Z', true, null, '2026-01-02']],
      truncated: false,
    },
  );
});

test('keeps the order of unnamed or equally named outputs behind a list of aliases', async () => {
  const sql = 'with t (a, b, c) as (select 1 + 1, 2 + 2, 3 + 3) select a, b, c from t';
  assert.deepEqual(await queryRows(sql), [[2, 4, 6]]);
  assert.deepEqual(await queryRows('select x.b from (select 1 as o, 2 as o) x (a, b)'), [[2]]);
});

test('truncates an answer at 200 rows and reports it', async () => {
  const answer = await ask('select symbol from securities');
  assert.ok(answer.ok);
  assert.deepEqual([answer.rows.length, answer.truncated], [200, true]);
});

test('offers no watchlist when the rollout is off', async () => {
  const dependencies = { database: db.database.readOnly!, isWatchlistOn: async () => false };
  for (const sql of [
    'select 1 from watchlist_items',
    'with w as (select * from assistant.watchlist_items) select * from w',
  ])
    assert.match(
      JSON.stringify(await runSql(dependencies, ADA, sql)),
      /The table watchlist_items is not available to you/,
    );
  assert.ok((await runSql(dependencies, ADA, 'select count(*) from holdings')).ok);
});

test('offers exactly the tables and columns of the database', async () => {
  const databaseViews = await db.owner<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      where c.relnamespace = 'assistant'::regnamespace and c.relname not in ('locked_symbols', 'held_symbols')
      group by 1 order by 1`,
  );
  assert.deepEqual(
    databaseViews,
    Object.entries(readableTables)
      .map(([name, { columns }]) => ({ name, columns: Object.keys(columns) }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  );
});

test('suggests an alternative when it rejects a statement', async () => {
  for (const [sql, message] of [
    ['select * from generate_series(1, 5)', /Functions in FROM are not available/],
    ['delete from holdings', /Only SELECT is available/],
    [
      'select symbol from public.watchlist_items',
      /There is no table public.watchlist_items. There are: watchlist_items/,
    ],
    ['select symbl from holdings', /There is no column symbl. FROM has: holdings \(account_id, symbol/],
    ['select array_agg(symbol) from holdings', /use string_agg/],
    ['select 2 ^ 3', /use power\(a, b\)/],
    ['select symbol from holdings; select 1', /one statement/],
    ['select symbol frm holdings h', /PostgreSQL cannot parse this: syntax error/],
  ] as const) {
    const answer = await ask(sql);
    assert.ok(!answer.ok && answer.reason === 'rejected', sql);
    assert.match(answer.message, message);
  }
});

test('rejects an expensive statement before it runs', async () => {
  const answer = await ask('select count(*) from closes a, closes b');
  assert.deepEqual(answer.ok || answer.reason, 'too_expensive');
});

test('leaves no state on the connection', async () => {
  for (const sql of ['select 1/0', 'select symbol from holdings', "select 'x'::date"]) await ask(sql);
  assert.deepEqual(await queryRows('select count(*) from accounts'), [[3]]);
  assert.deepEqual(await createSqlRunner(db.database, 'user_nobody')('select count(*) from accounts'), {
    ok: true,
    columns: ['count'],
    rows: [[0]],
    truncated: false,
  });
});
