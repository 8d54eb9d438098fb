import assert from 'node:assert/strict';
import { beforeEach, test } from 'vitest';
import {
  addHolding,
  createAccount,
  type InvestmentsApp,
  setUpInvestmentsApp,
} from '../../../../test/support/investments-app.ts';
import { recordStatements } from '../../../../test/support/statement-log.ts';
import type { BaseNetWorth, NetWorthResponse } from './contract.ts';

/** A Sunday, so that the last rates are Friday's. */
const SUNDAY = new Date('2026-11-22T18:00:00Z');

let app: InvestmentsApp;
let time = SUNDAY;
setUpInvestmentsApp(
  (started) => {
    app = started;
  },
  { now: () => time },
);

beforeEach(async () => {
  time = SUNDAY;
  await app.owner('delete from public.accounts');
  await app.owner('delete from public.net_worth_snapshots');
  await app.owner('delete from public.net_worth_flows');
  await app.owner('delete from public.portfolio_settings');
  await app.owner('delete from market.exchange_rates');
  await app.owner(`insert into market.exchange_rates (currency, d, rate, source) values
    ('USD', '2026-11-12', 1.14, 'ecb'), ('GBP', '2026-11-12', 0.85, 'ecb'),
    ('USD', '2026-11-19', 1.15, 'ecb'), ('GBP', '2026-11-19', 0.86, 'ecb'),
    ('USD', '2026-11-20', 1.16, 'ecb'), ('GBP', '2026-11-20', 0.87, 'ecb')`);
});

const readNetWorth = async (): Promise<NetWorthResponse> =>
  (await app.call('GET', '/api/net-worth?days=30', 'user_a')).body as NetWorthResponse;
const readBase = async (): Promise<BaseNetWorth> => (await readNetWorth()).base;
const chooseCurrency = (currency: unknown, member = 'user_a') =>
  app.call('PATCH', '/api/portfolio/settings', member, { base_currency: currency });

/** Dollars, pounds with a share, euros, and Taiwan dollars, which have no rate. */
async function createPortfolio(): Promise<void> {
  await createAccount(app, 'user_a', { balance: 100.5 });
  const pounds = await createAccount(app, 'user_a', { currency: 'GBP', balance: 1000.1 });
  await createAccount(app, 'user_a', { currency: 'EUR', balance: 200 });
  await createAccount(app, 'user_a', { currency: 'TWD', balance: 6137.2 });
  await app.owner(
    `update public.tracked_tickers_latest set current_price = 8.7, source = 'fmp' where symbol = 'HSBA.L'`,
  );
  await addHolding(app, 'user_a', pounds, 'HSBA.L', 10);
}

test('converts each currency at the last published rates when markets are closed', async () => {
  await createPortfolio();
  const { base, sample_data: sample } = await readNetWorth();
  assert.deepEqual(base, {
    currency: 'USD',
    chosen: false,
    // 100.50 + 1000.10 x 1.16 / 0.87 (1333.4667) + 200 x 1.16 (232)
    cash: 1665.9667,
    liabilities: 0,
    // 87 x 1.16 / 0.87
    investments: 116,
    total: 1781.9667,
    history: [],
    changes: [],
    rates: [
      { currency: 'EUR', rate: 1.16, rate_date: '2026-11-20', stale: false },
      { currency: 'GBP', rate: 1.333333333, rate_date: '2026-11-20', stale: false },
    ],
    excluded: [{ currency: 'TWD', amount: 6137.2, reason: 'no_rate' }],
  });
  assert.equal(sample, false, 'rates of the central bank are no sample data');
});

test('converts into the chosen currency and keeps the currencies as they are', async () => {
  await createPortfolio();
  const { currencies } = await readNetWorth();
  assert.equal((await chooseCurrency('GBP')).status, 200);
  const changed = await readNetWorth();
  assert.deepEqual(changed.currencies, currencies);
  const { history, changes, rates, excluded, ...amounts } = changed.base;
  assert.deepEqual(amounts, {
    currency: 'GBP',
    chosen: true,
    // 1000.10 + 100.50 x 0.87 / 1.16 (75.375) + 200 x 0.87 (174)
    cash: 1249.475,
    liabilities: 0,
    investments: 87,
    total: 1336.475,
  });
  assert.deepEqual(
    rates.map(({ currency, rate }) => [currency, rate]),
    [
      ['EUR', 0.87],
      ['USD', 0.75],
    ],
  );
  assert.equal(excluded.length, 1);
  assert.deepEqual((await app.call('GET', '/api/portfolio/settings', 'user_a')).body, { base_currency: 'GBP' });
});

test('converts each day of the history at the rate of that day', async () => {
  await createPortfolio();
  await app.owner(`insert into public.net_worth_snapshots (idp_id, d, currency, cash, investments) values
    ('user_a', '2026-11-10', 'USD', 70, 0), ('user_a', '2026-11-10', 'GBP', 850, 0), ('user_a', '2026-11-10', 'EUR', 1, 0),
    ('user_a', '2026-11-18', 'USD', 75, 0), ('user_a', '2026-11-18', 'EUR', 100, 0),
    ('user_a', '2026-11-19', 'USD', 80, 0), ('user_a', '2026-11-19', 'GBP', 860, 86),
    ('user_a', '2026-11-19', 'EUR', 100, 0), ('user_a', '2026-11-19', 'TWD', 6000, 0),
    ('user_a', '2026-11-21', 'USD', 90, 0), ('user_a', '2026-11-21', 'GBP', 1000, 87),
    ('user_a', '2026-11-21', 'EUR', 100, 0), ('user_a', '2026-11-21', 'TWD', 6000, 0)`);
  assert.deepEqual((await readBase()).history, [
    // The 10th precedes the first rates, and the 18th lacks pounds. 80 + 860 x 1.15 / 0.86 + 100 x 1.15; 86 x 1.15 / 0.86.
    { date: '2026-11-19', cash: 1345, investments: 115, total: 1460, excluded: ['TWD'] },
    // A Saturday at Friday's rates: 90 + 1000 x 1.16 / 0.87 + 100 x 1.16; 87 x 1.16 / 0.87.
    { date: '2026-11-21', cash: 1539.3333, investments: 116, total: 1655.3333, excluded: ['TWD'] },
  ]);
});

test('marks a rate as stale when it is more than seven days old', async () => {
  await createPortfolio();
  const readStale = async () => (await readBase()).rates.map(({ stale }) => stale);
  time = new Date('2026-11-27T18:00:00Z');
  assert.deepEqual(await readStale(), [false, false]);
  time = new Date('2026-11-28T18:00:00Z');
  assert.deepEqual(await readStale(), [true, true]);
});

test('excludes all other currencies when the base currency has no rate', async () => {
  await createPortfolio();
  await chooseCurrency('PLN');
  const { total, excluded, rates } = await readBase();
  assert.deepEqual([total, rates, excluded.map(({ currency }) => currency)], [0, [], ['EUR', 'GBP', 'TWD', 'USD']]);
});

test('marks net worth as sample data when a rate is simulated', async () => {
  await createPortfolio();
  await app.owner(`update market.exchange_rates set source = 'simulator'`);
  assert.equal((await readNetWorth()).sample_data, true);
  await chooseCurrency('USD');
  await app.owner(`delete from public.accounts where currency <> 'USD'`);
  assert.equal((await readNetWorth()).sample_data, false, 'no rate is needed for one currency');
});

test('reads net worth in one statement beside that of the rates', async (t) => {
  await createPortfolio();
  const statements = recordStatements(t);
  await readBase();
  assert.deepEqual(
    statements.map((text) => /portfolio_settings|exchange_rates/.exec(text)?.[0]),
    ['portfolio_settings', 'exchange_rates'],
  );
});

test('rejects a base currency that has no reference rate', async () => {
  for (const currency of ['TWD', 'usd', 'XYZ', '', null, 7])
    assert.equal((await chooseCurrency(currency)).status, 400, String(currency));
  for (const body of [{}, { base_currency: 'USD', other: 1 }])
    assert.equal((await app.call('PATCH', '/api/portfolio/settings', 'user_a', body)).status, 400);
  assert.deepEqual((await app.call('GET', '/api/portfolio/settings', 'user_a')).body, { base_currency: null });
});
