import assert from 'node:assert/strict';
import { test } from 'vitest';
import {
  computeGainSince,
  evenOut,
  getPeriodLabel,
  hasMarkedFlow,
  listNamedFlows,
  toNetWorthPoints,
} from './net-worth-history.ts';

const day = (date: string, total: number, more = {}) => ({ date, total, cash: 0, investments: total, ...more });
const change = (period: '1d' | '1m', from: string, flows: number) => ({
  period,
  from,
  amount: 0,
  market: 0,
  flows,
  exchange_rates: 0,
  gain: 0,
  percent: 0,
});
const netWorth = {
  total: 130,
  history: [
    day('2025-11-01', 90),
    day('2026-11-01', 100),
    day('2026-11-20', 120, { flows: 15, excluded: ['TWD'] }),
    day('2026-11-21', 125, { flows: 2 }),
  ],
  // The session's day began before the last point, and its flows are not today's alone.
  changes: [change('1d', '2026-11-19', 20), change('1m', '2026-11-01', 20)],
  excluded: [],
};

test('ends a range with the current value instead of today’s snapshot', () => {
  assert.deepEqual(toNetWorthPoints(netWorth, '2026-11-01', '2026-11-21'), [
    { date: '2026-11-01', total: 100 },
    { date: '2026-11-20', total: 120, flows: 15, excluded: ['TWD'] },
    { date: '2026-11-21', total: 130, flows: 5 },
  ]);
});

test('marks a flow of a thousandth of net worth unless it precedes the range', () => {
  const point = (flows: number) => ({ date: '2026-11-20', total: 1000, flows });
  assert.deepEqual(
    [1, -1, 0.9, 0].map((flows) => hasMarkedFlow(point(flows), 1)),
    [true, true, false, false],
  );
  assert.equal(hasMarkedFlow(point(500), 0), false);
});

test('names a period, or its first day when the history is shorter', () => {
  const label = (period: Parameters<typeof getPeriodLabel>[0]['period'], from: string, session = '2026-11-21') =>
    getPeriodLabel({ period, from }, { today: '2026-11-21', session });
  assert.equal(label('1d', '2026-11-20'), 'today');
  assert.equal(label('1d', '2026-11-19'), 'since Nov 19, 2026');
  assert.equal(label('1d', '2026-11-18', '2026-11-19'), 'Nov 19, 2026');
  assert.equal(label('1d', '2026-11-20', '2026-11-19'), 'since Nov 20, 2026');
  assert.equal(label('1w', '2026-11-14'), 'past week');
  assert.equal(label('1w', '2026-11-15'), 'since Nov 15, 2026');
  assert.equal(label('ytd', '2025-12-31'), 'this year');
  assert.equal(label('1y', '2025-11-20'), 'past year');
  assert.equal(label('all', '2024-03-01'), 'since Mar 1, 2024');
});

test('names the largest flows that have room beside each other', () => {
  const points = [
    { date: '2026-11-01', total: 1000, flows: 900 },
    { date: '2026-11-05', total: 1000, flows: 100 },
    { date: '2026-11-06', total: 1000, flows: -300 },
    { date: '2026-11-15', total: 1000, flows: 200 },
    { date: '2026-11-21', total: 1000, flows: 0.5 },
  ];
  assert.deepEqual(listNamedFlows(points), [2, 3]);
});

test('does not count flows as a gain since the first day', () => {
  const points = [
    { date: '2026-11-01', total: 100, flows: 40 },
    { date: '2026-11-02', total: 150.1, flows: 30 },
    { date: '2026-11-03', total: 120, flows: -10 },
  ];
  assert.deepEqual(
    points.map((_, index) => computeGainSince(points, index)),
    [0, 20.1, 0],
  );
});

test('shows a point a week with the flows between when most points are a week apart', () => {
  const weekly = ['2026-10-01', '2026-10-08', '2026-10-15', '2026-10-22'].map((date) => ({ date, total: 1 }));
  const daily = [
    { date: '2026-10-25', total: 2, flows: 5 },
    { date: '2026-10-29', total: 3, flows: 1 },
    { date: '2026-10-30', total: 4, flows: -2 },
    { date: '2026-10-31', total: 5 },
  ];
  assert.deepEqual(evenOut([...weekly, ...daily.slice(0, 3)]), [
    ...weekly,
    { date: '2026-10-29', total: 3, flows: 6 },
    { date: '2026-10-30', total: 4, flows: -2 },
  ]);
  assert.deepEqual(evenOut(daily), [daily[0], daily[1], daily[2], daily[3]]);
});
