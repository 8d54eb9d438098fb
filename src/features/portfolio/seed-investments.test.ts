import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { type InvestmentsApp, startInvestmentsApp } from '../../../test/support/investments-app.ts';
import type { Holding, NetWorthResponse } from './contract.ts';
import { seedInvestments } from './seed-investments.ts';

let app: InvestmentsApp;
const members = ['user_a', 'user_b', 'user_demo', 'user_sample'];
const TODAY = '2026-10-14';
beforeAll(async () => {
  app = await startInvestmentsApp();
  await seedInvestments(app.database.service, members, TODAY);
});
afterAll(() => app.close());

test('gives each seeded member accounts, four kinds of holdings, a year of net worth', async () => {
  for (const member of members) {
    const { holdings } = (await app.call('GET', '/api/investments/holdings', member)).body as { holdings: Holding[] };
    assert.deepEqual([...new Set(holdings.map(({ asset_type }) => asset_type))].sort(), [
      'bond',
      'etf',
      'mutual_fund',
      'stock',
    ]);
    assert.ok(
      holdings.every(({ value, cost_basis }) => value !== null && value > 0 && cost_basis !== null),
      member,
    );
    const { currencies } = (await app.call('GET', '/api/net-worth?days=1830', member)).body as NetWorthResponse;
    assert.deepEqual(
      currencies.map(({ currency }) => currency),
      ['GBP', 'USD'],
    );
    for (const { total, history } of currencies) {
      assert.equal(history.length, 52);
      assert.ok(total > 0 && history.every((point) => point.total > 0 && point.date < TODAY));
    }
  }
});

test('lists accounts with equal creation time by name', async () => {
  for (const member of members) {
    const { accounts } = (await app.call('GET', '/api/accounts', member)).body as { accounts: { name: string }[] };
    const names = accounts.map(({ name }) => name);
    assert.deepEqual(names, ['Brokerage', 'Retirement', 'Savings in pounds']);
    const { holdings } = (await app.call('GET', '/api/investments/holdings', member)).body as { holdings: Holding[] };
    assert.deepEqual([...new Set(holdings.map(({ account_name }) => account_name))], names);
  }
});

test('bases the history on past closes, near the current value', async () => {
  const { currencies } = (await app.call('GET', '/api/net-worth?days=1830', 'user_a')).body as NetWorthResponse;
  const { total, history } = currencies.find(({ currency }) => currency === 'USD')!;
  assert.ok(new Set(history.map((point) => point.total)).size > 20);
  for (const point of history)
    assert.ok(point.total > total / 10 && point.total < total * 10, `${point.date}: ${point.total} of ${total}`);
});

test('keeps existing accounts when it runs again', async () => {
  const count = () =>
    app.owner(
      `select (select count(*)::int from public.accounts) as accounts,
         (select count(*)::int from public.manual_public_holdings) as holdings,
           (select count(*)::int from public.net_worth_snapshots) as snapshots`,
    );
  await app.owner(`delete from public.manual_public_holdings where idp_id = 'user_a' and symbol = 'AAPL'`);
  const before = await count();
  await seedInvestments(app.database.service, members, '2026-10-15');
  assert.deepEqual(await count(), before);
});

test('fetches the reports of held companies at the first run, except from a provider', async () => {
  const reports = ({ owner }: InvestmentsApp) =>
    owner<{ symbol: string }>(
      'select distinct e.symbol from public.earnings e join public.manual_public_holdings h on h.symbol = e.symbol',
    );
  const seededAccounts = { members: [], demoAccountIdpUserId: 'user_a', sampleUserIdpUserId: 'user_b' };
  const otherApp = await startInvestmentsApp({ changeMarket: (market) => ({ ...market, source: 'fmp' }) });
  try {
    await otherApp.investments.seedFromMarket(seededAccounts);
    assert.deepEqual(await reports(otherApp), []);
  } finally {
    await otherApp.close();
  }
  await app.investments.seedFromMarket(seededAccounts);
  assert.ok((await reports(app)).length >= 2);
});
