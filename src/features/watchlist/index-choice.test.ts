import assert from 'node:assert/strict';
import { test } from 'vitest';
import { queryAsOwner } from '../../../test/support/cluster.ts';
import { createTestDatabase } from '../../../test/support/database.ts';

/** The index of positions supports ordered reads without entries of removed rows. */
test('counts a member’s rows through the position index', async (t) => {
  const { ownerUrl } = await createTestDatabase(t);
  await queryAsOwner(
    ownerUrl,
    `with members as (
       insert into public.all_users (idp_id) select 'user_' || m from generate_series(1, 100) m returning idp_id
     ), listings as (
       insert into public.tracked_tickers_latest (symbol, asset_type)
       select 'S' || n, 'stock' from generate_series(1, 100) n returning symbol
     )
     insert into public.watchlist_items (idp_id, symbol, position)
     select idp_id, symbol, row_number() over (partition by idp_id) from members cross join listings`,
  );
  await queryAsOwner(ownerUrl, 'analyze public.watchlist_items');
  const plan = await queryAsOwner<{ 'QUERY PLAN': string }>(
    ownerUrl,
    `explain select count(*), max(w.position) from public.watchlist_items w where w.idp_id = 'user_1'`,
  );
  assert.match(
    plan.map((line) => line['QUERY PLAN']).join('\n'),
    /Index (Only )?Scan (on|using) watchlist_items_position/,
  );
});
