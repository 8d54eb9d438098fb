import assert from 'node:assert/strict';
import { test } from 'vitest';
import { formatAge, splitDate, formatReportTime } from './card-formats.ts';

test('formats a report’s time as precisely as it is known', () => {
  assert.equal(formatReportTime({ market_days: 0, when: 'amc' }), 'Today, after close');
  assert.equal(formatReportTime({ market_days: 1, when: null }), 'Next market day');
  assert.equal(formatReportTime({ market_days: 4, when: 'bmo' }), 'Before open');
  assert.equal(formatReportTime({ market_days: 4, when: null }), 'in 4 market days');
  assert.deepEqual(splitDate('2026-01-02'), { month: 'Jan', day: '2' });
});

test('formats an article’s age briefly and treats a clock ahead as now', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  assert.equal(formatAge('2026-11-21T12:05:00Z', now), 'now');
  assert.equal(formatAge('2026-11-21T11:48:00Z', now), '12 min');
  assert.equal(formatAge('2026-11-21T06:30:00Z', now), '5 h');
  assert.equal(formatAge('2026-11-18T06:30:00Z', now), '3 d');
  assert.match(formatAge('2026-11-01T12:00:00Z', now), /^Nov \d+, 2026$/);
});
