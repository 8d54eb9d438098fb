import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { ShownSecurity } from '../contract.ts';
import { listKeyFigures } from './list-key-figures.ts';

const stock: ShownSecurity = {
  symbol: 'AAPL',
  name: 'Apple Inc.',
  asset_type: 'stock',
  exchange: 'NASDAQ',
  logo: null,
  currency: 'USD',
  price_unit: 'currency',
  held: false,
  locked: false,
  position: null,
  price: 269.05,
  change_1d: null,
  change_amount: null,
  prev_close: 270.37,
  open: 270.42,
  day_low: 266.25,
  day_high: 270.85,
  low_52w: 172.42,
  high_52w: 271.4,
  volume: 50_194_583,
  market_cap: 3_975_000_000_000,
  price_at: '2025-11-03T21:00:00.000Z',
  delayed_minutes: 0,
  sample: false,
  ranges: {},
  pe_ratio: 36.04,
  dividend_yield: 0.38,
  about: { description: null, industry: null, website: null },
  next_report: { date: '2026-01-29', when: 'amc', eps_estimate: 2.65, eps_currency: 'USD', estimated: true },
  dividends: [],
  news: [],
  pending: [],
  unavailable: [],
};

const find = (security: ShownSecurity, label: string) =>
  listKeyFigures(security).find((figure) => figure.label === label);
const listLabels = (security: ShownSecurity) => listKeyFigures(security).map(({ label }) => label);

test('includes the prices of the current day in the 52-week range when they are outside of the closes', () => {
  for (const [changes, text] of [
    [{}, '$172.42 – $271.40'],
    [{ price: 160, day_low: 158.5 }, '$158.50 – $271.40'],
    [{ price: 280, day_high: null }, '$172.42 – $280.00'],
  ] as const)
    assert.deepEqual(find({ ...stock, ...changes }, '52-week range'), { label: '52-week range', text });
});

test('shows the key figures of a stock, the most asked first', () => {
  assert.deepEqual(listLabels(stock), [
    'P/E',
    'Dividend yield',
    '52-week range',
    'Volume',
    'Next earnings',
    'Market cap',
    'Open',
    'Previous close',
    'Day’s range',
  ]);
  assert.deepEqual(find(stock, 'Dividend yield'), { label: 'Dividend yield', text: '0.38%' });
  assert.deepEqual(find(stock, 'Next earnings'), {
    label: 'Next earnings',
    text: 'Jan 29, 2026, after the market closes',
    detail: 'EPS estimate $2.65, date not confirmed',
  });
});

test('gives the reason instead of a figure that is missing, and never a zero', () => {
  const bare: ShownSecurity = {
    ...stock,
    pe_ratio: null,
    dividend_yield: null,
    low_52w: null,
    high_52w: null,
    volume: null,
    next_report: null,
  };
  const reasons = listKeyFigures(bare).flatMap((figure) => ('reason' in figure ? [figure.reason] : []));
  assert.deepEqual(reasons, [
    'No profit, or not reported',
    'Not reported by the data source',
    'No price history yet',
    'Not reported by the data source',
    'No date within 90 days',
  ]);
  const late: ShownSecurity = { ...bare, pending: ['fundamentals'], unavailable: ['earnings'] };
  assert.deepEqual(find(late, 'P/E'), { label: 'P/E', reason: 'Loading…' });
  assert.deepEqual(find(late, 'Next earnings'), { label: 'Next earnings', reason: 'Not available right now' });
  assert.deepEqual(find({ ...stock, dividend_yield: 0 }, 'Dividend yield'), {
    label: 'Dividend yield',
    text: 'No dividend',
  });
});

test('omits figures that a fund or a bond cannot have', () => {
  const etf: ShownSecurity = { ...stock, asset_type: 'etf' };
  assert.ok(!listLabels(etf).includes('P/E') && !listLabels(etf).includes('Next earnings'));
  assert.deepEqual(listLabels({ ...stock, asset_type: 'mutual_fund' }), ['Dividend yield', 'Price as of']);
  const bond: ShownSecurity = { ...stock, asset_type: 'bond', name: 'US Treasury Note 4.25% 11/15/2034' };
  assert.deepEqual(listLabels(bond), ['Issuer', 'Coupon', 'Maturity', 'Price as of']);
});
