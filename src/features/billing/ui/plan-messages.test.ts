import assert from 'node:assert/strict';
import { test } from 'vitest';
import { findEventShape } from '../../../platform/analytics/contract.ts';
import { upgradeSources } from '../../watchlist/contract.ts';
import { upgradeEntry } from '../contract.ts';
import { parseEntry, getUpgradeReason } from './plan-messages.ts';

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
