import assert from 'node:assert/strict';
import { test } from 'vitest';
import { compareReturns as compareShownReturns } from './compare-returns.ts';
import type { NetWorthPoint } from './net-worth-history.ts';

type Closes = Parameters<typeof compareShownReturns>[2];

/** Compares with all days shown. */
const compareReturns = (points: readonly NetWorthPoint[], closes: Closes, price: number | null) =>
  compareShownReturns(points, new Set(points.map(({ date }) => date)), closes, price);

const point = (date: string, total: number, flows?: number) => ({ date, total, ...(flows !== undefined && { flows }) });
const round = (points: readonly { date: string; value: number }[]) =>
  points.map(({ date, value }) => [date, Number(value.toFixed(6))]);

test('does not count a deposit as a return when net worth is compared', () => {
  const compared = compareReturns(
    [point('2026-11-01', 100, 100), point('2026-11-02', 110), point('2026-11-03', 220, 90)],
    [['2026-11-01', 50]],
    null,
  );
  assert.ok(compared.ok);
  assert.deepEqual(round(compared.netWorth), [
    ['2026-11-01', 0],
    ['2026-11-02', 10],
    ['2026-11-03', 21],
  ]);
});

test('values the fund at its last close, and today at its price', () => {
  const compared = compareReturns(
    [point('2026-11-01', 100), point('2026-11-02', 100), point('2026-11-03', 100), point('2026-11-04', 100)],
    [
      ['2026-10-30', 40],
      ['2026-11-02', 44],
    ],
    50,
  );
  assert.ok(compared.ok);
  assert.deepEqual(round(compared.fund), [
    ['2026-11-01', 0],
    ['2026-11-02', 10],
    ['2026-11-03', 10],
    ['2026-11-04', 25],
  ]);
});

test('begins both sides at the first day with a close when the period begins before', () => {
  const compared = compareReturns(
    [point('2026-11-01', 50), point('2026-11-02', 100), point('2026-11-03', 110)],
    [['2026-11-02', 40]],
    44,
  );
  assert.ok(compared.ok);
  assert.deepEqual(round(compared.netWorth), [
    ['2026-11-02', 0],
    ['2026-11-03', 10],
  ]);
  assert.deepEqual(round(compared.fund), [
    ['2026-11-02', 0],
    ['2026-11-03', 10],
  ]);
});

test('says why there is no comparison', () => {
  assert.deepEqual(compareReturns([point('2026-11-01', 1), point('2026-11-02', 1)], [], 5), {
    ok: false,
    reason: 'no_closes',
  });
  assert.deepEqual(compareReturns([point('2026-11-01', -10), point('2026-11-02', -9)], [['2026-11-01', 1]], 1), {
    ok: false,
    reason: 'not_positive',
  });
});

test('counts days for the return that the chart does not show', () => {
  const compared = compareShownReturns(
    [point('2026-11-01', 100), point('2026-11-02', 110), point('2026-11-03', 220, 99)],
    new Set(['2026-11-03']),
    [['2026-11-01', 40]],
    null,
  );
  assert.ok(compared.ok);
  assert.deepEqual(round(compared.netWorth), [
    ['2026-11-01', 0],
    ['2026-11-03', 15.789474],
  ]);
});

test('keeps both returns when the fund and a holding split inside the period', () => {
  // Ten shares at $100 become forty at $25 on November 3, which is no flow. $1,100 are added on November 4. The closes
  // of the fund are adjusted for its split of two for one on the same day: $80 became $40.
  const compared = compareReturns(
    [
      point('2026-11-01', 10 * 100),
      point('2026-11-02', 10 * 110),
      point('2026-11-03', 40 * 27.5),
      point('2026-11-04', 40 * 27.5 + 1_100, 1_100),
      point('2026-11-05', 40 * 33 + 1_100),
    ],
    [
      ['2026-11-01', 80 / 2],
      ['2026-11-02', 84 / 2],
      ['2026-11-03', 42],
      ['2026-11-04', 44],
    ],
    46,
  );
  assert.ok(compared.ok);
  // 1,100 / 1,000 x 2,420 / 2,200 is 1.21.
  assert.deepEqual(round(compared.netWorth), [
    ['2026-11-01', 0],
    ['2026-11-02', 10],
    ['2026-11-03', 10],
    ['2026-11-04', 10],
    ['2026-11-05', 21],
  ]);
  assert.deepEqual(round(compared.fund), [
    ['2026-11-01', 0],
    ['2026-11-02', 5],
    ['2026-11-03', 5],
    ['2026-11-04', 10],
    ['2026-11-05', 15],
  ]);
});
