import assert from 'node:assert/strict';
import { test } from 'vitest';
import { rememberTiers } from './known-tiers.ts';

test('a tier is known for an hour, and the member whose tier was read longest ago is forgotten first', () => {
  let at = Date.parse('2026-11-18T20:00:00Z');
  const tiers = rememberTiers(() => new Date(at));
  assert.equal(tiers.of('a'), undefined);
  tiers.learn('a', { tier: 'max', watchlist_limit: 250 });
  at += 60 * 60_000;
  assert.equal(tiers.of('a')?.watchlist_limit, 250);
  at += 1;
  assert.equal(tiers.of('a'), undefined);
  tiers.learn('a', { tier: 'free', watchlist_limit: 20 });
  for (let index = 0; index < 19_999; index += 1) tiers.learn(`m${index}`, { tier: 'pro', watchlist_limit: 100 });
  assert.equal(tiers.of('a')?.tier, 'free');
  tiers.learn('m0', { tier: 'pro', watchlist_limit: 100 });
  tiers.learn('one more', { tier: 'pro', watchlist_limit: 100 });
  assert.deepEqual([tiers.of('a'), tiers.of('m0')?.tier], [undefined, 'pro']);
});
