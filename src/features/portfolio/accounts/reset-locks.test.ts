import assert from 'node:assert/strict';
import { test } from 'vitest';
import pg from 'pg';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { deletePortfolio } from './queries.ts';

const CHANGES: Record<string, { first: string; next: string }> = {
  'the deletion of an account with its holdings': {
    first: 'select from public.accounts where idp_id = $1 for update',
    next: 'delete from public.accounts where idp_id = $1',
  },
  'a new holding, which locks its account': {
    first: `select pg_advisory_xact_lock(hashtextextended('flows:' || $1, 0))`,
    next: 'select from public.accounts where idp_id = $1 for key share',
  },
  'a new account': {
    first: `select pg_advisory_xact_lock(hashtextextended('flows:' || $1, 0))`,
    next: `insert into public.accounts (idp_id, name) values ($1, 'Another')`,
  },
  'the daily snapshot of several currencies': {
    first: `update public.net_worth_snapshots set cash = 1 where idp_id = $1 and currency = 'GBP'`,
    next: `update public.net_worth_snapshots set cash = 1 where idp_id = $1 and currency = 'USD'`,
  },
};

for (const [name, { first, next }] of Object.entries(CHANGES)) {
  test(`waits for ${name} without a deadlock when it deletes a portfolio`, async (t) => {
    const { database, owner, urls } = await createTestDatabase(t);
    await owner(`insert into public.all_users (idp_id) values ('user_a')`);
    await owner(`insert into public.tracked_tickers_latest (symbol, asset_type) values ('S', 'stock')`);
    await owner(
      `with a as (insert into public.accounts (idp_id, name) values ('user_a', 'One') returning id)
       insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity)
       select 'user_a', a.id, 'S', 1 from a`,
    );
    await owner(
      `insert into public.net_worth_snapshots (idp_id, d, currency, cash, investments)
       values ('user_a', '2026-11-18', 'USD', 0, 0), ('user_a', '2026-11-18', 'GBP', 0, 0)`,
    );
    const client = new pg.Client({ connectionString: urls.service });
    await client.connect();
    try {
      await client.query('begin');
      await client.query(first, ['user_a']);
      const removal = database.service.transaction((sql) => deletePortfolio(sql, 'user_a'));
      removal.catch(() => {});
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      await eventually(
        async () =>
          (await owner(`select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))`, [rows[0]!.pid])).length >
          0,
      );
      await client.query(next, ['user_a']);
      await client.query('commit');
      await removal;
    } finally {
      await client.end();
    }
    const [left] = await owner<{ rows: number }>(
      `select (select count(*)::int from public.accounts) + (select count(*)::int from public.manual_public_holdings)
         + (select count(*)::int from public.net_worth_snapshots) as rows`,
    );
    assert.equal(left!.rows, 0);
  });
}
