import assert from 'node:assert/strict';
import { test } from 'vitest';
import {
  addHolding,
  type InvestmentsApp,
  createAccount,
  startInvestmentsApp,
  setUpInvestmentsApp,
} from '../../../../test/support/investments-app.ts';
import { recordStatements } from '../../../../test/support/statement-log.ts';
import { marketCalendar } from '../../../market-data/domain/market-calendar.ts';
import { writeSnapshots } from './queries.ts';
import { hasRealPrices, toNetWorthResponse } from './read-net-worth.ts';
import type { CurrentNetWorthRow, SnapshotRow } from './rows.ts';
import { recordDailySnapshots } from './record-snapshots.ts';

let app: InvestmentsApp;
setUpInvestmentsApp((started) => {
  app = started;
});

const fetchNetWorth = async (member: string, query = '') =>
  (await app.call('GET', `/api/net-worth${query}`, member)).body;
const snapshots = () =>
  app.owner<Record<string, unknown>>(
    'select idp_id, d::text as d, currency, cash, investments from public.net_worth_snapshots order by 1, 2, 3',
  );
const snapshotAt = (instant: string) =>
  recordDailySnapshots({ sql: app.database.service, calendar: marketCalendar, now: () => new Date(instant) });

test('totals each currency without conversion, with bonds at their percentage of par', async () => {
  const dollars = await createAccount(app, 'user_a', { balance: 100.5 });
  const pounds = await createAccount(app, 'user_a', { currency: 'GBP', balance: 0.1 });
  await app.owner(`update public.tracked_tickers_latest set current_price = 200 where symbol = 'AAPL'`);
  await app.owner(`update public.tracked_tickers_latest set current_price = 6.5 where symbol = 'HSBA.L'`);
  await addHolding(app, 'user_a', dollars, 'AAPL', 2);
  await addHolding(app, 'user_a', dollars, '91282CJZ5', 1000);
  // A London share in a dollar account is valued in pounds.
  await addHolding(app, 'user_a', dollars, 'HSBA.L', 10);
  await addHolding(app, 'user_a', pounds, 'AAPL', 1);
  const { session_day: sessionDay, ...netWorth } = await fetchNetWorth('user_a');
  assert.equal(sessionDay, marketCalendar.getLatestSessionDay(new Date()));
  assert.deepEqual(netWorth, {
    currencies: [
      { currency: 'GBP', cash: 0.1, liabilities: 0, investments: 65, total: 65.1, history: [] },
      { currency: 'USD', cash: 100.5, liabilities: 0, investments: 1581.25, total: 1681.75, history: [] },
    ],
    base: {
      currency: 'USD',
      chosen: false,
      cash: 100.5,
      liabilities: 0,
      investments: 1581.25,
      total: 1681.75,
      history: [],
      changes: [],
      rates: [],
      excluded: [{ currency: 'GBP', amount: 65.1, reason: 'no_rate' }],
    },
    unpriced: [],
    sample_data: true,
  });
});

test('excludes watched tickers from net worth, positions, snapshots', async () => {
  const read = async (): Promise<string[]> => {
    const paths = ['/api/net-worth', '/api/investments/positions', '/api/investments/holdings', '/api/accounts'];
    return Promise.all(paths.map(async (path) => JSON.stringify((await app.call('GET', path, 'user_a')).body)));
  };
  await writeSnapshots(app.database.service, '2026-01-05');
  const before = await read();
  const stored = await snapshots();
  await app.owner(`insert into public.subscriptions (idp_id, tier, status) values ('user_a', 'max', 'active')`);
  const watched = await app.owner<{ n: number }>(
    `select count(*)::int as n
     from public.add_watchlist_items('user_a', (select array_agg(symbol)
       from (select symbol from public.tracked_tickers_latest where current_price is not null limit 100) t))
         where outcome = 'added'`,
  );
  assert.deepEqual(watched, [{ n: 100 }]);
  await writeSnapshots(app.database.service, '2026-01-05');
  assert.deepEqual(await read(), before);
  assert.deepEqual(await snapshots(), stored);
  assert.deepEqual((await app.owner<{ n: number }>('select count(*)::int as n from public.watchlist_items'))[0], {
    n: 100,
  });
});

test('dates a snapshot in New York and keeps the last run of a day', async () => {
  await app.owner('delete from public.net_worth_snapshots');
  // 03:30 UTC of the 2nd is the evening of the 1st in New York. In winter this holds until 05:00.
  await snapshotAt('2026-07-02T03:30:00Z');
  const first = await snapshots();
  assert.deepEqual([...new Set(first.map(({ d }) => d))], ['2026-07-01']);
  await snapshotAt('2026-07-01T22:30:00Z');
  assert.deepEqual(await snapshots(), first);
  await snapshotAt('2026-12-02T04:59:00Z');
  assert.deepEqual([...new Set((await snapshots()).map(({ d }) => d))], ['2026-07-01', '2026-12-01']);
  await app.owner(`update public.accounts set balance = 42 where currency = 'USD'`);
  await snapshotAt('2026-12-01T23:30:00Z');
  assert.deepEqual(
    (await snapshots()).filter(({ currency }) => currency === 'USD').map(({ cash }) => Number(cash)),
    [100.5, 42],
  );
  // A currency that disappears before the second run of a day is removed from that day only.
  await app.owner(`delete from public.accounts where currency = 'GBP'`);
  await app.owner(`delete from public.manual_public_holdings where symbol = 'HSBA.L'`);
  await snapshotAt('2026-12-01T22:30:00Z');
  const storedRows = (await snapshots()).filter(({ currency }) => currency === 'GBP').map(({ d }) => d);
  assert.deepEqual(storedRows, ['2026-07-01']);
});

test('returns snapshots within the requested days with former currencies at 0', async () => {
  await app.owner('delete from public.net_worth_snapshots');
  await app.owner(`insert into public.net_worth_snapshots (idp_id, d, currency, cash, investments)
    select 'user_a', current_date - g, c, g, 0.25
      from unnest(array[1, 40, 400, 3000]) g, unnest(array['EUR', 'USD']) c`);
  const { currencies } = await fetchNetWorth('user_a');
  assert.deepEqual(
    currencies.map(({ currency, history }: { currency: string; history: { cash: number }[] }) => [
      currency,
      history.map(({ cash }) => cash),
    ]),
    [
      ['EUR', [40, 1]],
      ['USD', [40, 1]],
    ],
  );
  assert.deepEqual([currencies[0].total, currencies[0].history[1].total], [0, 1.25]);
  assert.equal((await fetchNetWorth('user_a', '?days=1830')).currencies[1].history.length, 3);
  assert.equal((await fetchNetWorth('user_a', '?days=7')).currencies[1].history.length, 1);
  for (const query of ['?days=0', '?days=x', '?days=1831', '?days=1.5', '?from=2020-01-01']) {
    assert.equal((await app.call('GET', `/api/net-worth${query}`, 'user_a')).status, 400, query);
  }
});

test('counts the days of a history in New York', async (t) => {
  let time = new Date('2026-11-21T02:00:00Z');
  const evening = await startInvestmentsApp({ now: () => time });
  t.onTestFinished(() => evening.close());
  await evening.owner(
    `insert into public.net_worth_snapshots (idp_id, d, currency, cash, investments) select 'user_a', d, 'USD', 1, 0
     from generate_series('2026-11-10'::date, '2026-11-20', '1 day') d`,
  );
  const first = async () =>
    (await evening.call('GET', '/api/net-worth?days=7', 'user_a')).body.currencies[0].history[0].date;
  assert.equal(await first(), '2026-11-13', 'on the evening of the 20th');
  time = new Date('2026-11-21T05:00:00Z');
  assert.equal(await first(), '2026-11-14');
});

test('handles the largest amounts of one member in response and snapshot', async () => {
  const account = await createAccount(app, 'user_b', { balance: 1e15 });
  await app.owner(`update public.tracked_tickers_latest set current_price = 1e15 where symbol = 'BRK.B'`);
  for (let index = 0; index < 3; index += 1) await addHolding(app, 'user_b', account, 'BRK.B', 1e12);
  const [dollars] = (await fetchNetWorth('user_b')).currencies;
  assert.deepEqual([dollars.cash, dollars.investments], [1e15, 3e27]);
  await snapshotAt('2026-08-03T22:30:00Z');
  const written = (await snapshots()).filter(({ d }) => d === '2026-08-03').map(({ idp_id }) => idp_id);
  assert.deepEqual([...new Set(written)], ['user_a', 'user_b']);
});

test('names a holding without a price and counts it as 0', async () => {
  const account = await createAccount(app, 'user_demo', { balance: 5 });
  await addHolding(app, 'user_demo', account, 'MSFT', 1);
  await app.owner(`update public.tracked_tickers_latest set current_price = null where symbol = 'MSFT'`);
  const netWorth = await fetchNetWorth('user_demo');
  assert.deepEqual([netWorth.unpriced, netWorth.currencies[0].total, netWorth.sample_data], [['MSFT'], 5, false]);
  await app.owner(`update public.tracked_tickers_latest set current_price = 5, currency = null where symbol = 'MSFT'`);
  assert.deepEqual((await fetchNetWorth('user_demo')).unpriced, ['MSFT'], 'nor does a price in no known currency');
  await app.owner(
    `update public.tracked_tickers_latest set current_price = null, currency = 'USD' where symbol = 'MSFT'`,
  );
  const { holdings, sample_data: sample } = (await app.call('GET', '/api/investments/holdings', 'user_demo')).body;
  assert.deepEqual(
    [holdings[0].price, holdings[0].value, sample],
    [null, null, false],
    'no price, hence no sample of one',
  );
});

test('returns only the caller’s net worth', async () => {
  assert.deepEqual((await fetchNetWorth('user_sample')).currencies, []);
});

test('writes snapshots of all members in batches except deleted ones', async (t) => {
  await app.owner(`insert into public.all_users (idp_id) select 'user_' || g from generate_series(1, 300) g`);
  await app.owner(
    `insert into public.accounts (idp_id, name, balance) select 'user_' || g, 'Cash', g from generate_series(1, 300) g`,
  );
  await app.owner(`delete from public.all_users where idp_id = 'user_1'`);
  const statements = recordStatements(t);
  await writeSnapshots(app.database.service, '2026-09-01');
  assert.deepEqual(
    statements.map((text) => /isolation|pending_prices|delete|insert|update|active_members/.exec(text)?.[0]),
    ['active_members', 'isolation', 'pending_prices', 'delete', 'insert', 'update', 'update'],
    'as many statements for a batch of 300 members as for one',
  );
  const [row] = await app.owner<{ n: number }>(
    `select count(*)::int as n from public.net_worth_snapshots where d = '2026-09-01' and idp_id ~ '^user_[0-9]+$'`,
  );
  assert.equal(row?.n, 299);

  // Batches that end on a member, between members or after the last one have equal results, also over existing rows.
  const written = () =>
    app.owner(`select idp_id, currency, cash, investments, sample from public.net_worth_snapshots
      where d = '2026-09-01' order by idp_id, currency`);
  const completeRows = await written();
  for (const batch of [7, completeRows.length, 100_000]) {
    await app.owner(`update public.net_worth_snapshots set cash = -1 where d = '2026-09-01' and idp_id like '%7'`);
    await app.owner(`insert into public.net_worth_snapshots (idp_id, d, currency, cash, investments)
      select idp_id, d, 'XXX', 1, 1 from public.net_worth_snapshots where d = '2026-09-01' and currency = 'USD'`);
    await writeSnapshots(app.database.service, '2026-09-01', batch);
    assert.deepEqual(await written(), completeRows);
  }
});

test('marks snapshots with a sample price and writes none in the following week', async () => {
  await app.owner(`insert into public.all_users (idp_id) values ('user_quiet')`);
  const account = await createAccount(app, 'user_quiet', { balance: 5 });
  await addHolding(app, 'user_quiet', account, 'KO', 1);
  const price = (amount: number | null, source: string) =>
    app.owner(`update public.tracked_tickers_latest set current_price = $1, source = $2 where symbol = 'KO'`, [
      amount,
      source,
    ]);
  const recordSnapshot = async (date: string) => {
    await writeSnapshots(app.database.service, date);
    return app.owner(
      `select cash::float8, investments::float8, sample from public.net_worth_snapshots
       where idp_id = 'user_quiet' and d = $1`,
      [date],
    );
  };
  await price(70, 'simulator');
  assert.deepEqual(await recordSnapshot('2026-10-01'), [{ cash: 5, investments: 70, sample: true }]);
  await price(71, 'fmp');
  assert.deepEqual(await recordSnapshot('2026-10-01'), [{ cash: 5, investments: 71, sample: false }]);
  await price(null, 'simulator');
  await app.owner(
    `insert into market.quote_checks (ticker_id) select ticker_id from public.tracked_tickers_latest where symbol = 'KO'
     on conflict do nothing`,
  );
  for (const [time, date, written] of [
    ['6 days 23 hours', '2026-10-02', []],
    ['7 days 1 hour', '2026-10-03', [{ cash: 5, investments: 0, sample: false }]],
  ] as const) {
    await app.owner(`update market.quote_checks set sample_dropped_at = now() - $1::interval`, [time]);
    assert.deepEqual(await recordSnapshot(date), written, time);
  }
});

test('returns sample points only until real data beyond cash exist', () => {
  const point = (date: string, investments: string, sample: boolean) => ({
    date,
    currency: 'USD',
    cash: '0.1',
    investments,
    sample,
  });
  const toResponse = (
    current: CurrentNetWorthRow[],
    snapshots: SnapshotRow[],
    prices: Parameters<typeof toNetWorthResponse>[2],
  ) => {
    const isSampleHidden = hasRealPrices(snapshots, prices);
    const { currencies, sample_data: sample } = toNetWorthResponse(current, snapshots, prices, isSampleHidden);
    return [currencies.flatMap(({ history }) => history.map(({ date, total }) => `${date} ${total}`)), sample];
  };
  const sampled = point('2026-10-01', '0.2', true);
  assert.deepEqual(toResponse([], [sampled, point('2026-10-02', '0', false)], []), [
    ['2026-10-01 0.3', '2026-10-02 0.1'],
    true,
  ]);
  assert.deepEqual(toResponse([], [sampled, point('2026-10-02', '0.2', false)], []), [['2026-10-02 0.3'], false]);
  assert.deepEqual(toResponse([], [sampled], [{ symbol: 'KO', priced: true, sample: false }]), [[], false]);
  assert.deepEqual(toResponse([], [sampled], [{ symbol: 'KO', priced: false, sample: false }]), [
    ['2026-10-01 0.3'],
    true,
  ]);
});
