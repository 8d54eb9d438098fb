import assert from 'node:assert/strict';
import { test } from 'vitest';
import { toChartCoordinates, computeGridLines, computeNetWorthChange, toNetWorthPoints } from './net-worth-history.ts';

const day = (date: string, total: number) => ({ date, total, cash: 0, investments: total });
const netWorth = {
  currency: 'USD',
  cash: 0,
  investments: 130,
  total: 130,
  history: [day('2025-11-01', 90), day('2026-11-01', 100), day('2026-11-20', 120), day('2026-11-21', 125)],
};

test('ends a range with the current value instead of today’s snapshot', () => {
  assert.deepEqual(toNetWorthPoints(netWorth, '1M', '2026-11-21'), [
    { date: '2026-11-01', total: 100 },
    { date: '2026-11-20', total: 120 },
    { date: '2026-11-21', total: 130 },
  ]);
});

test('returns a percentage only for a positive start value', () => {
  assert.deepEqual(computeNetWorthChange(toNetWorthPoints(netWorth, '1M', '2026-11-21')), { amount: 30, percent: 30 });
  assert.deepEqual(
    computeNetWorthChange([
      { date: '2026-11-20', total: -50 },
      { date: '2026-11-21', total: 50 },
    ]),
    { amount: 100, percent: null },
  );
  assert.equal(computeNetWorthChange([{ date: '2026-11-21', total: 50 }]), null);
});

test('places days at scale with the highest on top and a flat line in the middle', () => {
  const box = { width: 120, height: 60, inset: 10 };
  const coordinates = toChartCoordinates(
    [
      { date: '2026-11-01', total: 0 },
      { date: '2026-11-02', total: 10 },
      { date: '2026-11-11', total: 5 },
    ],
    box,
  );
  assert.deepEqual(coordinates, [
    { x: 10, y: 50 },
    { x: 20, y: 10 },
    { x: 110, y: 30 },
  ]);
  assert.ok(
    toChartCoordinates(
      [
        { date: '2026-11-01', total: 7 },
        { date: '2026-11-02', total: 7 },
      ],
      box,
    ).every(({ y }) => y === 30),
  );
});

test('draws a few grid lines at round amounts, none for a flat line', () => {
  const box = { width: 120, height: 60, inset: 10 };
  const points = [
    { date: '2026-11-01', total: 90_000 },
    { date: '2026-11-02', total: 130_000 },
  ];
  assert.deepEqual(
    computeGridLines(points, box).map(({ value }) => value),
    [100_000, 120_000],
  );
  assert.equal(computeGridLines(points, box)[0]?.y, 40);
  assert.deepEqual(computeGridLines(points.slice(1), box), []);
});
