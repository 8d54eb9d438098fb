import assert from 'node:assert/strict';
import { test } from 'vitest';
import { startInvestmentsApp } from '../../../../test/support/investments-app.ts';
import type { Holding } from '../holdings/contract.ts';
import type { NetWorthResponse } from '../net-worth/contract.ts';
import { computeDemoCost, computeDemoHistory, type PricedListing } from './demo-history.ts';
import { demoPortfolio } from './demo-portfolio.ts';
import { readPricedListings } from './demo-queries.ts';

const NOW = new Date('2026-10-14T15:00:00Z');

test('matches the database’s total to the cent on the last day of the demo history', async (t) => {
  const app = await startInvestmentsApp({ now: () => NOW });
  t.onTestFinished(() => app.close());
  const step = await app.investments.prepareDemo!('user_demo');
  await app.database.service.transaction(step);
  const { currencies } = (await app.call('GET', '/api/net-worth', 'user_demo')).body as NetWorthResponse;

  const { holdings } = (await app.call('GET', '/api/investments/holdings', 'user_demo')).body as {
    holdings: Holding[];
  };
  const symbols = holdings.map(({ symbol }) => symbol);
  const listings = await readPricedListings(app.database.service, symbols, '2025-10-14');
  const days = ['2025-10-14', '2026-04-15', '2026-10-13', '2026-10-14'];
  const history = computeDemoHistory(demoPortfolio, new Map(listings.map((listing) => [listing.symbol, listing])), {
    days,
    sessionDay: '2026-10-14',
  });
  const today = history.filter(({ date }) => date === '2026-10-14');
  assert.deepEqual(today.map(({ currency }) => currency).sort(), ['GBP', 'USD']);
  for (const { currency, cash, investments } of today) {
    const owned = currencies.find((entry) => entry.currency === currency)!;
    assert.equal(cash, owned.cash);
    assert.ok(Math.abs(investments - owned.investments) < 0.01, `${investments} of ${owned.investments}`);
  }
});

const listing = (symbol: string, price: number, closes: PricedListing['closes'] = []): PricedListing => ({
  symbol,
  price,
  closes,
  asset_type: 'stock',
  currency: 'USD',
  sample: true,
});

test('values purchases from their day at its close, and a fund by its index', () => {
  const days = ['2026-01-14', '2026-01-15', '2026-02-14', '2026-02-15', '2026-02-16'];
  const dates = { days, sessionDay: '2026-02-16' };
  const closes = days.map((day, at) => [day, 10 + at] as const);
  const prices = new Map([
    ['A', listing('A', 20, closes)],
    ['F', listing('F', 6.5)],
  ]);
  const account = { name: 'One', kind: 'manual', currency: 'USD', balance: 100, saved: 0, spent: 0 } as const;
  const bought = { symbol: 'A', quantity: 12, boughtShare: 0.5, costRatio: 0.8 };
  const computeValue = (holding: (typeof account & { holdings: (typeof bought)[] })['holdings'][number]) =>
    computeDemoHistory([{ ...account, holdings: [holding] }], prices, dates).map(({ investments }) => investments);
  // A twelfth of the half is 0.5 shares, bought on each 15th.
  assert.deepEqual(computeValue(bought), [110, 11.5 * 11, 11.5 * 12, 12 * 13, 12 * 20]);
  assert.equal(computeDemoCost(bought, prices, dates), 11 * 10 * 0.8 + 0.5 * 11 + 0.5 * 13);
  assert.deepEqual(
    computeValue({ ...bought, symbol: 'F', boughtShare: 0, proxySymbol: 'A' } as typeof bought),
    [60, 66, 72, 78, 78],
    'the fund follows the index until the session before the latest',
  );
  assert.deepEqual(computeValue({ ...bought, symbol: 'F', boughtShare: 0 }), [78, 78, 78, 78, 78]);
  assert.equal(computeDemoCost({ ...bought, symbol: 'none' }, prices, dates), undefined);
});
