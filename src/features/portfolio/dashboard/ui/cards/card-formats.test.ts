import assert from 'node:assert/strict';
import { test } from 'vitest';
import { splitDate, formatReportTime } from './card-formats.ts';

test('formats a report’s time as precisely as it is known', () => {
  assert.equal(formatReportTime({ market_days: 0, when: 'amc' }), 'Today, after close');
  assert.equal(formatReportTime({ market_days: 1, when: null }), 'Next market day');
  assert.equal(formatReportTime({ market_days: 4, when: 'bmo' }), 'Before open');
  assert.equal(formatReportTime({ market_days: 4, when: null }), 'in 4 market days');
  assert.deepEqual(splitDate('2026-01-02'), { month: 'Jan', day: '2' });
});
