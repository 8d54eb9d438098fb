import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'vitest';
import { type InvestmentsApp, startInvestmentsApp } from '../../../../test/support/investments-app.ts';
import type { NetWorthResponse } from '../net-worth/contract.ts';
import type { PortfolioHoldings } from '../holdings/contract.ts';

/**
 * Moments, and the currencies whose exchanges have the session of New York as their latest one. The day of net worth begins
 * before that session, and spans more than the day changes elsewhere.
 */
const moments = {
  'during a session': { at: '2026-10-13T15:10:00Z', currencies: ['GBP', 'USD'] },
  'after a session': { at: '2026-10-13T22:00:00Z', currencies: ['GBP', 'USD'] },
  'before a session': { at: '2026-10-13T11:00:00Z', currencies: ['USD'] },
  'on a weekend': { at: '2026-10-18T15:00:00Z', currencies: ['GBP', 'USD'] },
  'on a holiday': { at: '2026-11-26T18:00:00Z', currencies: ['USD'] },
};

/** Starts with the first run's data of a member, the sample user and the demo account at a moment. */
async function startSeeded(t: TestContext, moment: string): Promise<InvestmentsApp> {
  const app = await startInvestmentsApp({ now: () => new Date(moment) });
  t.onTestFinished(() => app.close());
  await app.investments.seedFromMarket({
    members: [{ idp_user_id: 'user_a', tier: 'free' }],
    demoAccountIdpUserId: 'user_demo',
    sampleUserIdpUserId: 'user_sample',
  });
  const resetDemo = await app.investments.prepareDemo!('user_demo');
  await app.database.service.transaction(resetDemo);
  return app;
}

const readNetWorth = async (app: InvestmentsApp, member: string): Promise<NetWorthResponse> =>
  (await app.call('GET', '/api/net-worth?days=366', member)).body;

describe.for(Object.entries(moments))('seeded %s', ([, { at, currencies: compared }]) => {
  test('changes investments by the day changes of the holdings in each currency', async (t) => {
    const app = await startSeeded(t, at);

    for (const member of ['user_a', 'user_sample', 'user_demo']) {
      const { currencies, session_day: session } = await readNetWorth(app, member);
      const { holdings } = (await app.call('GET', '/api/portfolio/holdings', member)).body as PortfolioHoldings;
      for (const { currency, investments, history } of currencies) {
        if (!compared.includes(currency)) continue;
        const before = history.findLast(({ date }) => date < session)!;
        const change = holdings
          .filter((holding) => holding.currency === currency)
          .reduce((sum, { change_amount: amount }) => sum + (amount ?? 0), 0);
        assert.ok(change !== 0, `${member} ${currency}`);
        assert.ok(Math.abs(investments - before.investments - change) < 0.001, `${member} ${currency} ${change}`);
      }
    }
  });
});

test('values each day of a seeded history at its closes when the first run did not know them', async (t) => {
  const app = await startSeeded(t, moments['on a weekend'].at);
  const closes = await app.owner<{ d: string; close: number }>(
    `select x.d::text, x.close from public.tracked_tickers_historical x
       join public.listings l on l.ticker_id = x.ticker_id where l.symbol = 'HSBA.L' order by x.d`,
  );
  const { currencies } = await readNetWorth(app, 'user_a');
  const history = currencies.find(({ currency }) => currency === 'GBP')!.history;

  assert.ok(history.length > 50);
  for (const { date, investments } of history) {
    const { close } = closes.findLast(({ d }) => d <= date) ?? closes[0]!;
    assert.equal(investments, Number((150 * close).toFixed(4)), date);
  }
});
