import assert from 'node:assert/strict';
import { test, type TestContext } from 'vitest';
import { migrate } from '../src/database/migrate.ts';
import { migrateJobs } from '../src/jobs/migrate-jobs.ts';
import type { TestDatabase } from './support/database.ts';
import { databaseBefore } from './support/database-before.ts';

const FIRST_OF_THE_UPGRADE = '20261122_09_offered_views.sql';
const tables = ['watchlist_items', 'accounts', 'manual_public_holdings', 'net_worth_snapshots', 'analytics_events'];

/** A database as it stood before owners came first in keys, with rows of two members, one list with a gap in it. */
async function filledBefore(t: TestContext): Promise<TestDatabase> {
  const db = await databaseBefore(t, FIRST_OF_THE_UPGRADE);
  await db.owner(`
    insert into public.all_users (idp_id) values ('user_a'), ('user_b');
    insert into public.tracked_tickers_latest (symbol, asset_type, currency, current_price) select 'S' || g, 'stock',
      'USD', g from generate_series(1, 9) g;
    insert into public.watchlist_items (idp_id, symbol, position) select m, 'S' || g, 10 - g
      from generate_series(1, 9) g, (values ('user_a'), ('user_b')) v (m);
    update public.watchlist_items set position = 40 where idp_id = 'user_b' and symbol = 'S1';
    insert into public.accounts (idp_id, name, balance) select m, n, 5 from (values ('user_a'), ('user_b')) v (m),
      (values ('One'), ('Two')) w (n);
    insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity) select idp_id, id, 'S' || g, g
      from public.accounts, generate_series(1, 3) g;
    insert into public.net_worth_snapshots (idp_id, d, currency, cash, investments)
      values ('user_a', '2026-11-20', 'USD', 1, 2);
    insert into public.analytics_events (idp_id, event, properties) values ('user_a', 'one', '{}'),
      ('user_b', 'two', '{"a": 1}')`);
  return db;
}

/** Columns that later files add. */
const LATER =
  '{connection_id,external_id,mask,type,original_name,account_kind,local_only,quarantined_at,refusal,left_out_at,' +
  'duplicate_answered_at}';

/** Every row of the five tables, list rows in their order. */
const everything = (db: TestDatabase) =>
  Promise.all(
    tables.map((table) =>
      db.owner(
        `select (to_jsonb(r) - '${LATER}'::text[])::text as r from public.${table} r order by idp_id, ` +
          `${table === 'watchlist_items' ? 'position' : 'r::text'}`,
      ),
    ),
  );

test('an upgrade to keys with the owner first loses no row and moves none', async (t) => {
  const db = await filledBefore(t);
  const before = await everything(db);
  assert.ok(before.every((rows) => rows.length > 0));
  await migrate(db.ownerUrl, { afterwards: migrateJobs });
  assert.deepEqual(await everything(db), before);

  const a = db.database.asMember({ sub: 'user_a' });
  const [first] = await a.query<{ id: string; symbol: string }>(
    'select id, symbol from public.watchlist_items order by position',
  );
  assert.deepEqual(await a.query('select public.remove_watchlist_item($1) as symbol', [first!.id]), [
    { symbol: first!.symbol },
  ]);
  assert.equal((await a.query('select from public.held_positions')).length, 6);
  assert.deepEqual(await a.query("select cash, investments from public.net_worth_of('user_a')"), [
    { cash: '10.0000', investments: '28.0000' },
  ]);
  await a.query(`delete from public.accounts where name = 'One'`);
  assert.equal(
    (await a.query('select from public.manual_public_holdings')).length,
    3,
    'holdings go with their account',
  );
  // A gap from before is closed by the next change of the list.
  await db.database.service.query(
    `insert into public.tracked_tickers_latest (symbol, asset_type) values ('NEW', 'stock')`,
  );
  assert.deepEqual(await db.database.service.query(`select position from public.add_watchlist_item('user_b', 'NEW')`), [
    { position: 10 },
  ]);
});
