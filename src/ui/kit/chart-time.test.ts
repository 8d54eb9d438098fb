import assert from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { listTimeTicks, placeInTime } from './chart-time.ts';

const listTexts = (first: string, last: string) => listTimeTicks(first, last).map(({ text }) => text);

test('places days in proportion to time', () => {
  assert.deepEqual(placeInTime(['2026-11-01', '2026-11-02', '2026-11-11']), [0, 0.1, 1]);
  assert.deepEqual(placeInTime(['2026-11-01']), [0]);
});

test('sets ticks at round dates of a step that fits the period', () => {
  assert.deepEqual(listTexts('2026-11-29', '2026-11-30'), ['Nov 29', 'Nov 30']);
  assert.deepEqual(listTexts('2026-11-23', '2026-11-30'), ['Nov 24', 'Nov 26', 'Nov 28', 'Nov 30']);
  assert.deepEqual(listTexts('2026-10-30', '2026-11-30'), ['Nov 2', 'Nov 9', 'Nov 16', 'Nov 23', 'Nov 30']);
  assert.deepEqual(listTexts('2025-11-29', '2026-11-30'), [
    'Jan 2026',
    'Mar 2026',
    'May 2026',
    'Jul 2026',
    'Sep 2026',
    'Nov 2026',
  ]);
  assert.deepEqual(listTexts('2021-12-01', '2026-11-30'), ['2022', '2023', '2024', '2025', '2026']);
});

test('has two to seven rising ticks inside every period of up to five years', () => {
  fc.assert(
    fc.property(fc.integer({ min: 19_000, max: 22_000 }), fc.integer({ min: 1, max: 1830 }), (last, days) => {
      const toDate = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);
      const ticks = listTimeTicks(toDate(last - days), toDate(last));
      assert.ok(ticks.length >= 2 && ticks.length <= 7, `${ticks.length} ticks`);
      assert.ok(ticks.filter(({ isMinor }) => !isMinor).length >= 2, 'a narrow chart has two ticks too');
      for (const { x } of ticks) assert.ok(x >= 0 && x <= 1);
      assert.deepEqual(
        ticks,
        ticks.toSorted((a, b) => a.x - b.x),
      );
    }),
  );
});
