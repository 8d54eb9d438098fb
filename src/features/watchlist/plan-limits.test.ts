import assert from 'node:assert/strict';
import { test } from 'vitest';
import pg from 'pg';
import { isDistributedRun } from '../../../test/support/database.ts';
import { recordStatements } from '../../../test/support/statement-log.ts';
import { getCompanySymbols, setUpWatchlistApp, type WatchlistApp } from '../../../test/support/watchlist.ts';
import { watchlist } from './contract.ts';

let app: WatchlistApp;
setUpWatchlistApp((started) => {
  app = started;
});

test('hides market data of a locked row everywhere until a reorder unlocks it', async () => {
  const member = await app.signUp('pro');
  await member.addSymbols(...getCompanySymbols(20), 'AAPL', 'MSFT');
  await app.billing.setTier(member.idpId, 'free');
  const { body } = await member.call('GET', '/api/watchlist');
  const { items } = watchlist.parse(body);
  assert.deepEqual([body.tier, body.limit, body.item_count, body.locked_count], ['free', 20, 22, 2]);
  const locked = body.items.slice(20);
  const shown =
    'asset_type created_at currency exchange held id locked logo name ' +
    'next_report position price_unit symbol updated_at';
  for (const row of locked) {
    assert.equal(Object.keys(row).toSorted().join(' '), shown);
    assert.deepEqual([row.locked, row.next_report], [true, null]);
    assert.equal((await member.call('GET', `/api/watchlist/ticker/${row.symbol}`)).status, 404);
  }
  assert.deepEqual(
    (await member.call('GET', '/api/watchlist/earnings')).body.earnings,
    [],
    'AAPL and MSFT report, but are locked',
  );
  assert.equal(
    (await member.call('GET', '/api/watchlist/export.csv')).body
      .split('\r\n')
      .filter((line: string) => line.includes(',yes,') && /,,currency,,yes,/.test(line)).length,
    2,
  );
  const rejection = await member.call('POST', '/api/watchlist', { symbol: 'AAPL' });
  assert.deepEqual([rejection.status, 'price' in rejection.body.item], [409, false]);
  assert.deepEqual((await member.call('POST', '/api/watchlist', { symbol: 'KO' })).body, {
    code: 'WATCHLIST_LIMIT_REACHED',
    limit: 20,
    tier: 'free',
  });

  const ids = items.map(({ id }) => id);
  const order = [ids[20]!, ...ids.slice(0, 20), ids[21]!];
  const reordered = await member.call('PUT', '/api/watchlist/order', { ids: order });
  assert.deepEqual(
    reordered.body.items.filter((row: { locked: boolean }) => row.locked).map((row: { id: string }) => row.id),
    [ids[19], ids[21]],
  );
  assert.equal((await member.call('GET', '/api/watchlist')).body.items[0].price, 200.5);
  await app.billing.setTier(member.idpId, 'max');
  assert.deepEqual(
    [(await member.getWatchlist()).locked_count, (await member.getWatchlist()).item_count],
    [0, 22],
    'no row was lost',
  );
});

test('rejects an undo when another tab has filled the list', async () => {
  const member = await app.signUp();
  await member.addSymbols(...getCompanySymbols(20));
  const [first] = (await member.getWatchlist()).items;
  await member.call('DELETE', `/api/watchlist/${first!.id}`);
  await member.addSymbols('KO');
  const { status, body } = await member.call('POST', '/api/watchlist', { symbol: first!.symbol, position: 1 });
  assert.deepEqual([status, body.code], [403, 'WATCHLIST_LIMIT_REACHED']);
});

test('looks the tier up at most once per statement for any number of plans', async (t) => {
  const member = await app.signUp('max');
  const statements = recordStatements(t);
  const { body } = await member.call('POST', '/api/watchlist', { symbol: 'AAPL' });
  const { items } = await member.getWatchlist();
  await member.call('PUT', '/api/watchlist/order', { ids: items.map(({ id }) => id) });
  assert.equal(body.item.symbol, 'AAPL');
  const tierStatements = statements.filter((text) => text.includes('get_tier('));
  assert.ok(tierStatements.length >= 3, `${tierStatements.length} statements ask for the tier`);
  // Simulates the full catalog, whose planner reads the three plans one by one. In their filter, the tier look-up took
  // a third of an add's time.
  if (isDistributedRun()) return t.skip('the test reads the plans of one server');
  const planner = new pg.Client({
    connectionString: app.ownerUrl,
    options: '-c enable_indexscan=off -c enable_indexonlyscan=off -c enable_bitmapscan=off',
  });
  await planner.connect();
  t.onTestFinished(() => planner.end());
  for (const text of new Set(tierStatements)) {
    const { rows } = await planner.query<Record<'QUERY PLAN', string>>(`explain (generic_plan) ${text}`);
    assert.deepEqual(
      rows
        .map((line) => line['QUERY PLAN'].trim())
        .filter((line) => line.startsWith('Filter:') && line.includes('get_tier(')),
      [],
      text,
    );
  }
});
