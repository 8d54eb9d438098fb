import assert from 'node:assert/strict';
import { test } from 'vitest';
import { shapeOf } from '../../../platform/analytics/contract.ts';
import { upgradeSources } from '../../watchlist/contract.ts';
import { upgradeEntry } from '../contract.ts';
import { readEntry, reasonWords } from './plan-words.ts';

test('every entry that a card leads here with is known and has words of its own', () => {
  assert.equal(shapeOf('upgrade_cta_clicked')?.area, 'watchlist');
  for (const entry of [...upgradeEntry.options, ...Object.values(upgradeSources)]) {
    assert.equal(readEntry(entry), entry);
    assert.notEqual(reasonWords(entry), reasonWords(null));
  }
});

test('any other entry is unknown and harms nothing', () => {
  for (const entry of [null, '', 'constructor', '__proto__', 'Watchlist_limit', '<script>'])
    assert.equal(readEntry(entry), null);
});
