import assert from 'node:assert/strict';
import { test } from 'vitest';
import { findEventShape } from '../../../platform/analytics/contract.ts';
import { upgradeSources } from '../../watchlist/contract.ts';
import { upgradeEntry } from '../contract.ts';
import {
  describeCancellation,
  describePendingPlan,
  describeEnd,
  getUpgradeReason,
  parseEntry,
} from './plan-messages.ts';

test('has its own reason for every entry that a card links with', () => {
  assert.equal(findEventShape('upgrade_cta_clicked')?.area, 'watchlist');
  for (const entry of [...upgradeEntry.options, ...Object.values(upgradeSources)]) {
    assert.equal(parseEntry(entry), entry);
    assert.notEqual(getUpgradeReason(entry), getUpgradeReason(null));
  }
});

test('ignores an unknown entry source', () => {
  for (const entry of [null, '', 'constructor', '__proto__', 'Watchlist_limit', '<script>'])
    assert.equal(parseEntry(entry), null);
});

test('names Free after a cancellation without a grant', () => {
  assert.equal(describeEnd('Dec 30', null), 'Dec 30; you are on Free from then on, and your saved data is kept.');
  assert.equal(
    describeCancellation('max', 'Dec 1, 2026', null),
    'You keep Max until Dec 1, 2026. After that, tickers beyond the limit of Free are locked, not deleted, and ' +
      'nothing more is charged.',
  );
});

test('names the granted plan after a cancellation', () => {
  assert.equal(
    describeEnd('Dec 30', 'pro'),
    'Dec 30; you are on Pro, complimentary, from then on, and your saved data is kept.',
  );
  assert.equal(
    describeCancellation('max', 'Dec 1, 2026', 'pro'),
    'You keep Max until Dec 1, 2026. After that, you are on Pro, complimentary: tickers beyond the limit of Pro are ' +
      'locked, not deleted, and nothing more is charged.',
  );
});

test('announces no locked tickers when the grant covers the cancelled plan', () => {
  for (const paid of ['pro', 'max'] as const)
    assert.equal(
      describeCancellation(paid, 'Dec 1, 2026', 'max'),
      'Payments end on Dec 1, 2026. You stay on Max, complimentary, and nothing more is charged.',
    );
});

test('names the plan that the member has after a scheduled smaller plan', () => {
  assert.equal(describePendingPlan('pro', 'Dec 1, 2026', null), 'Pro on Dec 1, 2026');
  assert.equal(describePendingPlan('pro', 'Dec 1, 2026', 'pro'), 'Pro on Dec 1, 2026');
  assert.equal(describePendingPlan('pro', 'Dec 1, 2026', 'max'), 'Pro on Dec 1, 2026; you stay on Max, complimentary');
});
