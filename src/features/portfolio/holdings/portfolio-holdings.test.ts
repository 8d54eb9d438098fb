import assert from 'node:assert/strict';
import { beforeEach, test } from 'vitest';
import {
  addHolding,
  createAccount,
  type InvestmentsApp,
  setUpInvestmentsApp,
} from '../../../../test/support/investments-app.ts';
import type { AccountList } from '../accounts/contract.ts';
import type { NetWorthResponse } from '../net-worth/contract.ts';
import type { PortfolioHoldings } from './contract.ts';

/** A Sunday, so that the last rates are Friday's. */
const SUNDAY = new Date('2026-11-22T18:00:00Z');

let app: InvestmentsApp;
setUpInvestmentsApp(
  (started) => {
    app = started;
  },
  { now: () => SUNDAY },
);

beforeEach(async () => {
  await app.owner('delete from public.accounts');
  await app.owner('delete from public.portfolio_settings');
  await app.owner('delete from market.exchange_rates');
  await app.owner(`insert into market.exchange_rates (currency, d, rate, source) values
    ('USD', '2026-11-20', 1.16, 'ecb'), ('GBP', '2026-11-20', 0.87, 'ecb')`);
});

const readHoldings = async (): Promise<PortfolioHoldings> =>
  (await app.call('GET', '/api/portfolio/holdings', 'user_a')).body as PortfolioHoldings;

const setPrice = (symbol: string, price: number | null, change: number | null) =>
  app.owner(
    `update public.tracked_tickers_latest
        set current_price = $2::numeric, change_amount = $3::numeric, prev_close = $2::numeric - $3::numeric,
            change_1d = round(100 * $3::numeric / ($2::numeric - $3::numeric), 4), source = 'fmp' where symbol = $1`,
    [symbol, price, change],
  );

/** Ten Apple shares, ten HSBC shares in pounds and a bond of $10,000, in two accounts. */
async function createPortfolio(): Promise<void> {
  const broker = await createAccount(app, 'user_a', { name: 'Broker' });
  const pounds = await createAccount(app, 'user_a', { name: 'Pounds', currency: 'GBP' });
  await setPrice('AAPL', 12.34, 0.34);
  await setPrice('HSBA.L', 8.7, 0.3);
  await setPrice('91282CJZ5', 98.125, null);
  const cost = { AAPL: 100.1, 'HSBA.L': 60, '91282CJZ5': null };
  for (const [account, symbol, quantity] of [
    [broker, 'AAPL', 10],
    [broker, '91282CJZ5', 10_000],
    [pounds, 'HSBA.L', 10],
  ] as const)
    await app.call('POST', '/api/investments/holdings', 'user_a', {
      account_id: account,
      symbol,
      quantity,
      cost_basis: cost[symbol],
    });
}

test('converts value, cost and day change of each holding at the last published rates', async () => {
  await createPortfolio();
  const { currency, holdings, rates, sample_data: sample } = await readHoldings();
  assert.deepEqual(
    holdings.map((row) => [row.account_name, row.symbol, row.value, row.change_amount, row.gain?.amount, row.base]),
    [
      // In the order of accounts and symbols. The bond has no day change, and its cost is unknown.
      [
        'Broker',
        '91282CJZ5',
        9812.5,
        null,
        undefined,
        { value: 9812.5, cost_basis: null, change_amount: null, rate: 1 },
      ],
      ['Broker', 'AAPL', 123.4, 3.4, 23.3, { value: 123.4, cost_basis: 100.1, change_amount: 3.4, rate: 1 }],
      // 87 x 1.16 / 0.87, 60 x 1.16 / 0.87, 3 x 1.16 / 0.87
      ['Pounds', 'HSBA.L', 87, 3, 27, { value: 116, cost_basis: 80, change_amount: 4, rate: 4 / 3 }],
    ],
  );
  assert.equal(currency, 'USD');
  assert.deepEqual(rates, [{ currency: 'GBP', rate: 1.333333333, rate_date: '2026-11-20', stale: false }]);
  assert.equal(sample, false);
});

test('adds up to the investments of net worth in the base currency', async () => {
  await createPortfolio();
  await app.call('PATCH', '/api/portfolio/settings', 'user_a', { base_currency: 'EUR' });
  const { holdings } = await readHoldings();
  const { base } = (await app.call('GET', '/api/net-worth', 'user_a')).body as NetWorthResponse;
  // (9812.5 + 123.4) / 1.16 + 87 / 0.87
  assert.equal(base.investments, 8665.431);
  const sum = holdings.reduce((total, { base: amounts }) => total + amounts!.value, 0);
  assert.equal(sum.toFixed(4), '8665.4310');
});

test('returns no converted amounts when a currency has no rate or a holding no price', async () => {
  await createPortfolio();
  await app.owner(`delete from market.exchange_rates where currency = 'GBP'`);
  await setPrice('AAPL', null, null);
  const { holdings, rates } = await readHoldings();
  assert.deepEqual(
    holdings.map(({ symbol, value, base }) => [symbol, value, base === null]),
    [
      ['91282CJZ5', 9812.5, false],
      ['AAPL', null, true],
      ['HSBA.L', 87, true],
    ],
  );
  assert.deepEqual(rates, []);
});

test('includes a connected holding that the catalog does not list', async () => {
  const [account] = await app.owner<{ id: string }>(
    `insert into public.accounts (idp_id, name, kind, currency) values ('user_a', 'Coins', 'brokerage', 'USD') returning id`,
  );
  await app.owner(
    `insert into public.connected_holdings (idp_id, account_id, external_id, name, quantity, institution_value, currency, as_of)
     values ('user_a', $1, 'btc', 'Bitcoin', 0.5, 30000, 'USD', '2026-11-21T12:00:00Z')`,
    [account!.id],
  );
  const { holdings } = await readHoldings();
  assert.deepEqual(
    holdings.map(({ symbol, name, asset_type, value, gain, base }) => [symbol, name, asset_type, value, gain, base]),
    [[null, 'Bitcoin', null, 30_000, null, { value: 30_000, cost_basis: null, change_amount: null, rate: 1 }]],
  );
});

test('lists cash and debts, with the same sums as net worth and the accounts', async () => {
  await createPortfolio();
  await createAccount(app, 'user_a', { name: 'Savings', currency: 'GBP', balance: 100.07 });
  await createAccount(app, 'user_a', { name: 'Card', balance: -20 });
  const { cash, base } = await readHoldings();
  assert.deepEqual(
    cash.map(({ account_name: name, currency, balance, base: converted }) => [name, currency, balance, converted]),
    [
      // 100.07 x 1.16 / 0.87
      ['Savings', 'GBP', 100.07, 133.42666667],
      ['Card', 'USD', -20, -20],
    ],
  );
  const netWorth = (await app.call('GET', '/api/net-worth', 'user_a')).body as NetWorthResponse;
  const { cash: cashTotal, liabilities, investments, total } = netWorth.base;
  assert.deepEqual(base, { cash: cashTotal, liabilities, investments, total });
  assert.deepEqual([base.cash, base.liabilities], [133.4267, -20]);
  const accounts = (await app.call('GET', '/api/accounts', 'user_a')).body as AccountList;
  assert.equal(accounts.total, total);
});

test('shows value, cost and gain of a connected option as its institution states them', async () => {
  const [account] = await app.owner<{ id: string }>(
    `insert into public.accounts (idp_id, name, kind, currency) values ('user_a', 'Bank', 'bank', 'USD') returning id`,
  );
  await app.owner(
    `insert into public.connected_holdings (idp_id, account_id, external_id, name, quantity, cost_basis, institution_value,
       currency, as_of) values ('user_a', $1, 'o', 'Call', 2, 900, 1000, 'USD', '2026-11-21T12:00:00Z')`,
    [account!.id],
  );
  const { holdings } = await readHoldings();
  assert.deepEqual(
    holdings.map(({ cost_basis: cost, gain, base }) => [cost, gain, base]),
    [[900, { amount: 100, percent: 11.111111111111 }, { value: 1000, cost_basis: 900, change_amount: null, rate: 1 }]],
  );
  const accounts = (await app.call('GET', '/api/accounts', 'user_a')).body as AccountList;
  assert.deepEqual(accounts.accounts[0]!.totals![0]!.gain, { amount: 100, percent: 11.111111111111 });
});

test('marks the holdings as sample data when a price or a rate is simulated', async () => {
  await createPortfolio();
  await app.owner(`update market.exchange_rates set source = 'simulator' where currency = 'GBP'`);
  assert.equal((await readHoldings()).sample_data, true);
});

test('returns only the holdings of the member with the session', async () => {
  const account = await createAccount(app, 'user_b');
  await addHolding(app, 'user_b', account, 'AAPL');
  assert.deepEqual((await readHoldings()).holdings, []);
});
