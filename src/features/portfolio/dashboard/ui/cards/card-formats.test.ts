import assert from 'node:assert/strict';
import { test } from 'vitest';
import { splitDate, formatReportTime } from './card-formats.ts';

test('formats a report’s time as precisely as it is known', () => {
  assert.equal(formatReportTime({ date: '2026-11-27', market_days: 0, when: 'amc' }), 'Today, after close');
  assert.equal(formatReportTime({ date: '2026-11-28', market_days: 1, when: null }), 'On Saturday');
  assert.equal(formatReportTime({ date: '2026-12-03', market_days: 4, when: 'bmo' }), 'Before open');
  assert.equal(formatReportTime({ date: '2026-12-03', market_days: 4, when: null }), 'In 4 market days');
  assert.deepEqual(splitDate('2026-01-02'), { month: 'Jan', day: '2' });
});
