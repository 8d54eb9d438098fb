import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { setUpMarket, watch } from '../../test/support/market-stage.ts';

test('prices are written while an import that names the same tickers is under way, in whatever order it names them', async (t) => {
  const stage = await setUpMarket(t);
  await watch(stage, 'AAPL', 'VOO');
  await stage.db.owner(`insert into public.all_users (idp_id) values ('user_importer')`);
  const importer = new pg.Client({ connectionString: stage.db.ownerUrl });
  await importer.connect();
  try {
    await importer.query('begin');
    await importer.query(`select * from public.add_watchlist_items('user_importer', '{VOO}', false)`);
    // Were they to wait for each other, this would end by the statement's time limit.
    await stage.room.refreshNow(['AAPL', 'VOO']);
    assert.deepEqual([(await stage.row('AAPL')).current_price, (await stage.row('VOO')).source], [232.8, 'fmp']);
    await importer.query(`select * from public.add_watchlist_items('user_importer', '{AAPL}', false)`);
    await importer.query('commit');
  } finally {
    await importer.end();
  }
  assert.deepEqual(await stage.db.owner(`select symbol from public.watchlist_items where idp_id = 'user_importer' order by position`), [{ symbol: 'VOO' }, { symbol: 'AAPL' }]);
});
