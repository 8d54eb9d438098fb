import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type InvestmentsApp, startInvestmentsApp } from '../../../../test/support/investments-app.ts';
import type { Holding } from '../holdings/contract.ts';
import type { NetWorthResponse } from '../net-worth/contract.ts';
import { seedPortfolios } from './seed-portfolios.ts';

let app: InvestmentsApp;
const members = ['user_a', 'user_b', 'user_demo', 'user_sample'];
const TODAY = '2026-10-14';
beforeAll(async () => {
  app = await startInvestmentsApp();
  await seedPortfolios(app.database.service, members, TODAY);
});
afterAll(() => app.close());

const readHoldings = async (member: string): Promise<Holding[]> =>
  (await app.call('GET', '/api/investments/holdings', member)).body.holdings;

describe.for(members)('%s', (member) => {
  test('holds priced securities of four kinds', async () => {
    const holdings = await readHoldings(member);

    const kinds = [...new Set(holdings.map(({ asset_type }) => asset_type))].sort();
    assert.deepEqual(kinds, ['bond', 'etf', 'mutual_fund', 'stock']);
    assert.ok(holdings.every(({ value, cost_basis }) => value !== null && value > 0 && cost_basis !== null));
  });

  test('has a year of net worth in two currencies', async () => {
    const { currencies } = (await app.call('GET', '/api/net-worth?days=1830', member)).body as NetWorthResponse;

    assert.deepEqual(
      currencies.map(({ currency }) => currency),
      ['GBP', 'USD'],
    );
    for (const { total, history } of currencies) {
      // 52 weeks and six days.
      assert.equal(history.length, 58);
      assert.ok(total > 0 && history.every((point) => point.total > 0 && point.date < TODAY));
    }
  });

  test('has accounts with equal creation time in the order of their names', async () => {
    const { accounts } = (await app.call('GET', '/api/accounts', member)).body as { accounts: { name: string }[] };

    const names = accounts.map(({ name }) => name);
    assert.deepEqual(names, ['Brokerage', 'Retirement', 'Savings in pounds']);
    assert.deepEqual([...new Set((await readHoldings(member)).map(({ account_name }) => account_name))], names);
  });
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
  await seedPortfolios(app.database.service, members, '2026-10-15');
  assert.deepEqual(await count(), before);
});

describe('reports of held companies at the first run', () => {
  const accounts = { members: [], demoAccountIdpUserId: 'user_a', sampleUserIdpUserId: 'user_b' };
  const readReports = ({ owner }: InvestmentsApp) =>
    owner<{ symbol: string }>(
      'select distinct e.symbol from public.earnings e join public.manual_public_holdings h on h.symbol = e.symbol',
    );

  test('are fetched from the simulator', async () => {
    await app.investments.seedFromMarket(accounts);

    assert.ok((await readReports(app)).length >= 2);
  });

  test('are not fetched from a provider', async (t) => {
    const otherApp = await startInvestmentsApp({ changeMarket: (market) => ({ ...market, source: 'fmp' }) });
    t.onTestFinished(() => otherApp.close());

    await otherApp.investments.seedFromMarket(accounts);

    assert.deepEqual(await readReports(otherApp), []);
  });
});
