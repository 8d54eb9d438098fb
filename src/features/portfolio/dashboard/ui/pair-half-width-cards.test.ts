import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { CardId } from '../contract.ts';
import { pairHalfWidthCards } from './pair-half-width-cards.ts';
import type { DashboardCard, PortfolioPresence } from './shared/dashboard-card.ts';

const needsById: Partial<Record<CardId, NonNullable<DashboardCard['needs']>>> = {
  net_worth: 'netWorth',
  holdings: 'holdings',
  earnings: 'heldOrWatched',
  news: 'heldOrWatched',
};

const pairSmall = (ids: readonly CardId[], presence: PortfolioPresence): boolean[] =>
  pairHalfWidthCards(
    ids.map((id) => (needsById[id] ? { needs: needsById[id] } : {})),
    presence,
  );

test('pairs small cards in a phone row without holes', () => {
  const ids = ['net_worth', 'holdings', 'earnings', 'news', 'watchlist'] as const;
  const emptyPresence = { netWorth: false, holdings: false, heldOrWatched: false };
  assert.deepEqual(pairSmall(ids, emptyPresence), [true, true, true, true, false]);
  assert.deepEqual(pairSmall(ids, { ...emptyPresence, netWorth: true }), [false, true, true, false, false]);
  assert.deepEqual(pairSmall(ids, { ...emptyPresence, heldOrWatched: true }), [true, true, false, false, false]);
  assert.deepEqual(pairSmall(['holdings', 'watchlist', 'news'], emptyPresence), [false, false, false]);
});
