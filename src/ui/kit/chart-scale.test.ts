import assert from 'node:assert/strict';
import { test } from 'vitest';
import fc from 'fast-check';
import { computeChartScale, toFractionFromTop } from './chart-scale.ts';

test('places grid lines at round values, also for a flat line', () => {
  assert.deepEqual(computeChartScale([263.2, 271.9, 268]).lines, [265, 267.5, 270]);
  assert.deepEqual(computeChartScale([0.11, 0.39]).lines, [0.1, 0.2, 0.3, 0.4]);
  assert.deepEqual(computeChartScale([100_000, 234_567]).lines, [100_000, 150_000, 200_000]);
  assert.deepEqual(computeChartScale([250]).lines, [248, 250, 252]);
});

test('keeps every value inside the chart with two to four rising grid lines', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0.0001, max: 1e7, noNaN: true }), { minLength: 1, maxLength: 30 }),
      (values) => {
        const scale = computeChartScale(values);
        for (const value of values)
          assert.ok(toFractionFromTop(value, scale) >= 0 && toFractionFromTop(value, scale) <= 1);
        assert.ok(scale.lines.length >= 2 && scale.lines.length <= 4, `${scale.lines.length} lines`);
        for (const line of scale.lines) assert.ok(line >= scale.low - 1e-9 && line <= scale.high + 1e-9);
        assert.deepEqual(
          scale.lines,
          scale.lines.toSorted((a, b) => a - b),
        );
      },
    ),
  );
});
