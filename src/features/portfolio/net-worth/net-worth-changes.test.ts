import assert from 'node:assert/strict';
import { test } from 'vitest';
import { computeNetWorthChanges } from './net-worth-changes.ts';
import type { FlowRow, NetWorthRow } from './rows.ts';

const TODAY = '2026-11-20';
const row = (currency: string, investments: string, cash = '0'): NetWorthRow => ({ currency, cash, investments });
const flow = (date: string | null, currency: string, amount: string): FlowRow => ({ date, currency, amount });

/** Units for one euro. A pound is 1.25 dollars until the 18th, then 1.30 dollars. */
const rates = new Map([
  ['USD', { dates: ['2025-01-01', '2026-11-19'], rates: ['1.25', '1.30'], sample: false }],
  ['GBP', { dates: ['2025-01-01'], rates: ['1'], sample: false }],
]);

const compute = (days: Record<string, NetWorthRow[]>, now: NetWorthRow[], flows: FlowRow[] = []) =>
  computeNetWorthChanges(now, new Map(Object.entries(days)), flows, {
    currency: 'USD',
    today: TODAY,
    rates,
    sessionDay: TODAY,
  });
const computeAll = (...args: Parameters<typeof compute>) => {
  const { period, from, ...change } = compute(...args).changes.at(-1)!;
  assert.equal(period, 'all');
  assert.equal(from, Object.keys(args[0])[0]);
  return change;
};

test('computes the worked example of the documentation', () => {
  const days = { '2026-11-17': [row('USD', '1000')], '2026-11-18': [row('USD', '1100')] };
  assert.deepEqual(computeAll(days, [row('USD', '1900')], [flow(null, 'USD', '900')]), {
    amount: 900,
    market: 0,
    flows: 900,
    exchange_rates: 0,
    gain: 0,
    // (1 + 100 / 1000) x (1 - 100 / (1100 + 900)) - 1 = 1.1 x 0.95 - 1
    percent: 4.5,
  });
});

// A fund states its return without flows as the change of its unit price: =B6/B1-1 in a spreadsheet. Money that is
// added buys units at the price of the day before, and units are sold at the price of the day.
test('equals the change of the unit price of a fund with purchases and sales', () => {
  const prices = [100, 104, 96, 120, 99, 112.5];
  const flowByDay = [0, 5000, -960, 19_200, 0, -2250];
  const days: Record<string, NetWorthRow[]> = {};
  const flows: FlowRow[] = [];
  let units = 10;
  for (const [index, price] of prices.entries()) {
    const date = `2026-11-${14 + index}`;
    const added = flowByDay[index]!;
    units += added > 0 ? added / prices[index - 1]! : added / price;
    days[date] = [row('USD', (units * price).toFixed(4))];
    if (added !== 0) flows.push(flow(date, 'USD', String(added)));
  }
  const { percent, flows: total } = computeAll(days, days['2026-11-19']!, flows);
  assert.equal(percent, 12.5);
  assert.equal(total, 20_990);
});

test('separates market, flows and exchange rates of two currencies', () => {
  const days = { '2026-11-18': [row('GBP', '100', '20'), row('USD', '50.1')] };
  const flows = [flow(null, 'GBP', '10'), flow(null, 'USD', '-5.05')];
  assert.deepEqual(computeAll(days, [row('GBP', '107', '20'), row('USD', '45.2')], flows), {
    // 127 x 1.30 + 45.20 - (120 x 1.25 + 50.10)
    amount: 10.2,
    // (127 - 120 - 10) x 1.30 + (45.20 - 50.10 + 5.05)
    market: -3.75,
    // 10 x 1.30 - 5.05
    flows: 7.95,
    // 120 x (1.30 - 1.25)
    exchange_rates: 6,
    gain: 2.25,
    // 2.25 / (200.10 + 7.95)
    percent: 1.0814708003,
  });
});

test('computes the percentage from amounts before they are rounded', () => {
  const yen = new Map([
    ['USD', { dates: ['2025-01-01'], rates: ['1'], sample: false }],
    ['JPY', { dates: ['2025-01-01'], rates: ['156'], sample: false }],
  ]);
  const { changes } = computeNetWorthChanges(
    [row('JPY', '0.0363')],
    new Map([['2026-11-18', [row('JPY', '0.0165')]]]),
    [],
    { currency: 'USD', today: TODAY, rates: yen, sessionDay: TODAY },
  );
  // 0.0363 and 0.0165 yen are $0.0002 and $0.0001, of which the change is 100 %.
  assert.equal(changes.at(-1)!.percent, 120);
});

test('counts an amount that was added and withdrawn again between two days', () => {
  const days = { '2026-11-18': [row('USD', '100')] };
  const flows = [flow(null, 'GBP', '50'), flow('2026-11-19', 'GBP', '-49')];
  const { market, flows: total } = computeAll(days, [row('USD', '100')], flows);
  assert.deepEqual([market, total], [-1.3, 1.3]);
});

test('counts flows of days without a snapshot on the next day that has one', () => {
  const days = { '2026-11-14': [row('USD', '100')], '2026-11-17': [row('USD', '150')] };
  const flows = [flow('2026-11-14', 'USD', '7'), flow('2026-11-15', 'USD', '30'), flow('2026-11-17', 'USD', '20')];
  const { history, changes } = compute(days, [row('USD', '150')], flows);
  assert.deepEqual(
    history.map(({ date, flows: added }) => [date, added]),
    [
      ['2026-11-14', undefined],
      ['2026-11-17', 50],
    ],
  );
  assert.deepEqual(changes.at(-1)!.market, 0);
});

test('begins each period with its first day that has a value', () => {
  const dates = ['2025-11-18', '2025-11-19', '2025-12-30', '2025-12-31', '2026-08-20', '2026-10-20', '2026-11-13'];
  const days = Object.fromEntries([...dates, '2026-11-18', TODAY].map((date) => [date, [row('USD', '1')]]));
  const { changes } = compute(days, [row('USD', '1')]);
  assert.deepEqual(
    changes.map(({ period, from }) => [period, from]),
    [
      ['1d', '2026-11-18'],
      ['1w', '2026-11-13'],
      ['1m', '2026-10-20'],
      ['3m', '2026-08-20'],
      ['ytd', '2025-12-31'],
      ['1y', '2025-11-19'],
      ['all', '2025-11-18'],
    ],
  );
});

test('omits periods without an earlier day', () => {
  assert.deepEqual(compute({ [TODAY]: [row('USD', '1')] }, [row('USD', '1')]).changes, []);
  const { changes } = compute({ '2026-11-01': [row('USD', '1')] }, [row('USD', '1')]);
  assert.deepEqual(
    changes.map(({ period }) => period),
    ['1d', '1m', '3m', 'ytd', '1y', 'all'],
  );
});

test('returns no percentage after a day with debt only', () => {
  const debt = { '2026-11-18': [row('USD', '0', '-50')] };
  assert.equal(computeAll(debt, [row('USD', '0', '-60')]).percent, null);
  assert.equal(computeAll(debt, [row('USD', '0', '-50')]).percent, 0);
  assert.equal(computeAll(debt, [row('USD', '60', '-50')], [flow(null, 'USD', '50')]).percent, null);
  assert.equal(computeAll(debt, [row('USD', '61', '-50')], [flow(null, 'USD', '60')]).percent, 10);
});

test('excludes a currency without a rate from values and flows and marks its days', () => {
  const days = {
    '2026-11-17': [row('USD', '10')],
    '2026-11-18': [row('USD', '10'), row('TWD', '5')],
    '2026-11-19': [row('USD', '10'), row('TWD', '0')],
  };
  const { history, changes } = compute(days, [row('USD', '10'), row('TWD', '9')], [flow(null, 'TWD', '9')]);
  assert.deepEqual(
    history.map(({ total, excluded }) => [total, excluded]),
    [
      [10, undefined],
      [10, ['TWD']],
      [10, undefined],
    ],
  );
  assert.equal(changes.at(-1)!.amount, 0);
});
