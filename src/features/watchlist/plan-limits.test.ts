import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import pg from 'pg';
import { isDistributedRun } from '../../../test/support/database.ts';
import { recordStatements } from '../../../test/support/statement-log.ts';
import { getCompanySymbols, setUpWatchlistApp, type WatchlistApp } from '../../../test/support/watchlist.ts';
import { watchlist } from './contract.ts';

let app: WatchlistApp;
setUpWatchlistApp((started) => {
  app = started;
});

describe('after a downgrade', () => {
  const FIELDS_OF_LOCKED_ROW =
    'asset_type created_at currency exchange held id locked logo name ' +
    'next_report position price_unit symbol updated_at';

  /** Signs up a member of Free whose last two rows, AAPL and MSFT, are locked. */
  async function signUpWithLockedRows() {
    const member = await app.signUp('pro');
    await member.addSymbols(...getCompanySymbols(20), 'AAPL', 'MSFT');
    await app.billing.setTier(member.idpId, 'free');
    const { body } = await member.call('GET', '/api/watchlist');
    return { member, body, ids: watchlist.parse(body).items.map(({ id }) => id) };
  }

  test('lists locked rows without market data', async () => {
    const { body } = await signUpWithLockedRows();

    assert.deepEqual([body.tier, body.limit, body.item_count, body.locked_count], ['free', 20, 22, 2]);
    for (const row of body.items.slice(20)) {
      assert.equal(Object.keys(row).toSorted().join(' '), FIELDS_OF_LOCKED_ROW);
      assert.deepEqual([row.locked, row.next_report], [true, null]);
    }
  });

  test('hides market data of locked rows in details, reports, export and rejections', async () => {
    const { member } = await signUpWithLockedRows();

    for (const symbol of ['AAPL', 'MSFT'])
      assert.equal((await member.call('GET', `/api/watchlist/ticker/${symbol}`)).status, 404, symbol);
    const reports = await member.call('GET', '/api/watchlist/earnings');
    assert.deepEqual(reports.body.earnings, [], 'AAPL and MSFT report, but are locked');
    const lines: string[] = (await member.call('GET', '/api/watchlist/export.csv')).body.split('\r\n');
    assert.equal(lines.filter((line) => line.includes(',yes,') && /,,currency,,yes,/.test(line)).length, 2);
    const rejection = await member.call('POST', '/api/watchlist', { symbol: 'AAPL' });
    assert.deepEqual([rejection.status, 'price' in rejection.body.item], [409, false]);
  });

  test('rejects another row', async () => {
    const { member } = await signUpWithLockedRows();

    const { body } = await member.call('POST', '/api/watchlist', { symbol: 'KO' });

    assert.deepEqual(body, { code: 'WATCHLIST_LIMIT_REACHED', limit: 20, tier: 'free' });
  });

  test('unlocks a row that a reorder moves within the limit', async () => {
    const { member, ids } = await signUpWithLockedRows();

    const order = [ids[20]!, ...ids.slice(0, 20), ids[21]!];
    const { items } = (await member.call('PUT', '/api/watchlist/order', { ids: order })).body;

    assert.deepEqual(
      items.filter((row: { locked: boolean }) => row.locked).map((row: { id: string }) => row.id),
      [ids[19], ids[21]],
    );
    assert.equal((await member.call('GET', '/api/watchlist')).body.items[0].price, 200.5);
  });

  test('unlocks all rows with an upgrade', async () => {
    const { member } = await signUpWithLockedRows();

    await app.billing.setTier(member.idpId, 'max');

    const { locked_count: locked, item_count: count } = await member.getWatchlist();
    assert.deepEqual([locked, count], [0, 22]);
  });
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
  const tierStatements = statements.filter((text) => /get_tier\(|member_tiers/.test(text));
  assert.ok(tierStatements.length >= 3, `${tierStatements.length} statements read the tier`);
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
        .filter((line) => /^Filter:.*(get_tier\(|tier = .*SubPlan)/.test(line)),
      [],
      text,
    );
  }
});
