import assert from 'node:assert/strict';
import { test } from 'vitest';
import { migrate } from '../src/database/migrate.ts';
import { migrateJobs } from '../src/jobs/migrate-jobs.ts';
import { databaseBefore } from './support/database-before.ts';

test('holdings of accounts that are not kept by hand become those accounts’ own, and no worth changes', async (t) => {
  const db = await databaseBefore(t, '20261123_03_connections.sql');
  await db.owner(`
    insert into public.all_users (idp_id) values ('user_a');
    insert into public.tracked_tickers_latest (symbol, name, asset_type, currency, current_price, source)
      values ('S1', 'One', 'stock', 'USD', 10, 'simulator');
    insert into public.accounts (idp_id, name, kind, balance) values ('user_a', 'By hand', 'manual', 5),
      ('user_a', 'Sample brokerage', 'brokerage', 7);
    insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity, cost_basis)
      select idp_id, id, 'S1', 2, 12 from public.accounts`);
  const worth = () => db.owner(`select currency, cash, investments from public.net_worth_of('user_a')`);
  const before = await worth();
  const ids = () => db.owner(`select id from public.manual_public_holdings order by id`);
  const [all] = [await ids()];
  await migrate(db.ownerUrl, { afterwards: migrateJobs });
  assert.deepEqual(await worth(), before);
  assert.deepEqual(
    await db
      .owner(`select 'manual' as kept, id from public.manual_public_holdings
      union all select 'connected', id from public.connected_holdings order by id`)
      .then((rows) => rows.length),
    all.length,
  );
  assert.deepEqual(
    await db.owner(
      `select a.name, c.symbol, c.name as called, c.quantity, c.cost_basis from public.connected_holdings c
         join public.accounts a on a.idp_id = c.idp_id and a.id = c.account_id`,
    ),
    [{ name: 'Sample brokerage', symbol: 'S1', called: 'One', quantity: '2.0000000000', cost_basis: '12.0000' }],
  );
});
