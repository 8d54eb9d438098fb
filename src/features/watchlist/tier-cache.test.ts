import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createTierCache } from './tier-cache.ts';

test('keeps a tier for an hour and evicts the least recently read member', () => {
  let at = Date.parse('2026-11-18T20:00:00Z');
  const tiers = createTierCache(() => new Date(at));
  assert.equal(tiers.get('a'), undefined);
  tiers.set('a', { tier: 'max', watchlist_limit: 250 });
  at += 60 * 60_000;
  assert.equal(tiers.get('a')?.watchlist_limit, 250);
  at += 1;
  assert.equal(tiers.get('a'), undefined);
  tiers.set('a', { tier: 'free', watchlist_limit: 20 });
  for (let index = 0; index < 19_999; index += 1) tiers.set(`m${index}`, { tier: 'pro', watchlist_limit: 100 });
  assert.equal(tiers.get('a')?.tier, 'free');
  tiers.set('m0', { tier: 'pro', watchlist_limit: 100 });
  tiers.set('one more', { tier: 'pro', watchlist_limit: 100 });
  assert.deepEqual([tiers.get('a'), tiers.get('m0')?.tier], [undefined, 'pro']);
});
