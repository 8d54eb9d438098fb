import assert from 'node:assert/strict';
import { beforeEach, test } from 'vitest';
import {
  addHolding,
  createAccount,
  type InvestmentsApp,
  setUpInvestmentsApp,
} from '../../../../test/support/investments-app.ts';
import type { NetWorthResponse } from '../net-worth/contract.ts';
import type { HoldingsAtPastPrices } from './contract.ts';
import { sumPastValues } from './value-at-past-prices.ts';

let app: InvestmentsApp;
setUpInvestmentsApp(
  (started) => {
    app = started;
  },
  { now: () => new Date('2026-11-20T18:00:00Z') },
);

beforeEach(async () => {
  await app.owner('delete from public.accounts');
  await app.owner('delete from public.tracked_tickers_historical');
});

const read = async (user = 'user_a'): Promise<HoldingsAtPastPrices> => {
  const response = await app.call('GET', '/api/portfolio/holdings/past-prices', user);
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body as HoldingsAtPastPrices;
};

/** Stores closes of 10, 11, 12 … on consecutive days that end yesterday. */
const writeCloses = (symbol: string, days: number) =>
  app.owner(
    `insert into public.tracked_tickers_historical (ticker_id, d, close)
     select t.ticker_id, date '2026-11-19' - ($2::int - 1) + n, 10 + n
       from public.tracked_tickers_latest t cross join generate_series(0, $2::int - 1) n where t.symbol = $1`,
    [symbol, days],
  );

const setPrice = (symbol: string, price: number) =>
  app.owner(`update public.tracked_tickers_latest set current_price = $2, source = 'fmp' where symbol = $1`, [
    symbol,
    price,
  ]);

test('values holdings of all accounts at the closes of each day, and today at its price', async () => {
  await setPrice('AAPL', 40);
  await writeCloses('AAPL', 20);
  for (const name of ['One', 'Two'])
    await addHolding(app, 'user_a', await createAccount(app, 'user_a', { name }), 'AAPL', 3);
  const { points, excluded, currency, sample_data: sample } = await read();
  assert.equal(points.length, 21);
  assert.deepEqual(points[0], { date: '2026-10-31', value: 60 });
  assert.deepEqual(points.at(-2), { date: '2026-11-19', value: 6 * 29 });
  assert.deepEqual(points.at(-1), { date: '2026-11-20', value: 240 });
  assert.deepEqual([excluded, currency, sample], [[], 'USD', false]);
});

test('adjusts closes from before a split that the history still lacks', async (t) => {
  await setPrice('AAPL', 15);
  await writeCloses('AAPL', 20);
  await app.owner(
    `insert into market.quote_checks (ticker_id, pending_split_date, pending_split_close)
     select ticker_id, '2026-11-18', 14 from public.tracked_tickers_latest where symbol = 'AAPL'
     on conflict (ticker_id) do update set pending_split_date = excluded.pending_split_date,
       pending_split_close = excluded.pending_split_close`,
  );
  t.onTestFinished(async () => {
    await app.owner('update market.quote_checks set pending_split_date = null, pending_split_close = null');
  });
  await addHolding(app, 'user_a', await createAccount(app, 'user_a'), 'AAPL', 1);
  const { points } = await read();
  assert.deepEqual(points.slice(-3), [
    { date: '2026-11-18', value: 14 },
    { date: '2026-11-19', value: 29 },
    { date: '2026-11-20', value: 15 },
  ]);
});

test('names holdings without enough closes instead of valuing them', async () => {
  await setPrice('AAPL', 40);
  await setPrice('MSFT', 50);
  await writeCloses('AAPL', 20);
  await writeCloses('MSFT', 19);
  const account = await createAccount(app, 'user_a', { name: 'One' });
  for (const symbol of ['AAPL', 'MSFT', '91282CJZ5']) await addHolding(app, 'user_a', account, symbol, 1);
  await app.owner(`update public.manual_public_holdings set quantity = 0.1 where symbol <> 'AAPL'`);
  const { points, excluded } = await read();
  assert.equal(points.at(-1)!.value, 40);
  assert.deepEqual(excluded.toSorted(), ['91282CJZ5', 'MSFT']);
});

test('has no points when the holdings with closes are less than four fifths of the value', async () => {
  await setPrice('AAPL', 79);
  await setPrice('MSFT', 21);
  await writeCloses('AAPL', 20);
  const account = await createAccount(app, 'user_a', { name: 'One' });
  for (const symbol of ['AAPL', 'MSFT']) await addHolding(app, 'user_a', account, symbol, 1);
  const { points, excluded } = await read();
  assert.deepEqual([points, excluded], [[], ['MSFT']]);
  await setPrice('AAPL', 84);
  assert.equal((await read()).points.at(-1)!.value, 84);
});

test('has no points without holdings, and none of another member', async () => {
  await setPrice('AAPL', 40);
  await writeCloses('AAPL', 20);
  await addHolding(app, 'user_a', await createAccount(app, 'user_a', { name: 'One' }), 'AAPL', 1);
  assert.deepEqual((await read('user_b')).points, []);
});

test('adds nothing to the history and the changes of net worth', async () => {
  await setPrice('AAPL', 40);
  await writeCloses('AAPL', 20);
  await addHolding(app, 'user_a', await createAccount(app, 'user_a', { name: 'One' }), 'AAPL', 1);
  await read();
  const { base } = (await app.call('GET', '/api/net-worth', 'user_a')).body as NetWorthResponse;
  assert.deepEqual([base.history, base.changes], [[], []]);
});

test('begins on the first day on which every symbol has a close, and keeps the last close on its holidays', () => {
  const points = sumPastValues(
    [
      { symbol: 'A', price: 10, value: 100 },
      { symbol: 'B', price: 5, value: 50 },
    ],
    [
      {
        symbol: 'A',
        closes: [
          ['2026-11-02', 8],
          ['2026-11-03', 9],
          ['2026-11-05', 11],
        ],
      },
      {
        symbol: 'B',
        closes: [
          ['2026-11-03', 4],
          ['2026-11-04', 6],
        ],
      },
    ],
    '2026-11-06',
  );
  assert.deepEqual(points, [
    { date: '2026-11-03', value: 130 },
    { date: '2026-11-04', value: 150 },
    { date: '2026-11-05', value: 170 },
    { date: '2026-11-06', value: 150 },
  ]);
});
