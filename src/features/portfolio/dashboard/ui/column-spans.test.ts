import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { CardId } from '../contract.ts';
import type { DashboardCard } from './shared/dashboard-card.ts';
import { moveEntry, pairHalfWidthCards as pairSmallCards, computeColumnSpans as placeCards } from './column-spans.ts';

const cards: Readonly<Record<CardId, Pick<DashboardCard, 'size' | 'needs'>>> = {
  net_worth: { size: 'wide', needs: 'netWorth' },
  accounts: { size: 'narrow', needs: 'netWorth' },
  movers: { size: 'narrow', needs: 'holdings' },
  holdings: { size: 'narrow', needs: 'holdings' },
  earnings: { size: 'narrow', needs: 'heldOrWatched' },
  dividends: { size: 'narrow', needs: 'heldOrWatched' },
  news: { size: 'narrow', needs: 'heldOrWatched' },
  watchlist: { size: 'row' },
};
const computeSpansOfIds = (ids: readonly CardId[]) => placeCards(ids.map((id) => cards[id]));
const pairSmall = (ids: readonly CardId[], has: Parameters<typeof pairSmallCards>[1]) =>
  pairSmallCards(
    ids.map((id) => cards[id]),
    has,
  );

const ofThree = (ids: readonly CardId[]) => computeSpansOfIds(ids).map(([, three]) => three);

test('fills the row before the watchlist, which takes a row of its own', () => {
  assert.deepEqual(ofThree(['net_worth', 'holdings', 'earnings', 'news', 'watchlist']), [2, 1, 1, 3, 3]);
  assert.deepEqual(ofThree(['earnings', 'news', 'net_worth', 'holdings', 'watchlist']), [1, 1, 1, 3, 3]);
  assert.deepEqual(ofThree(['holdings', 'net_worth', 'earnings']), [1, 2, 3]);
  assert.deepEqual(computeSpansOfIds(['net_worth', 'holdings', 'watchlist']), [
    [2, 2, 1],
    [2, 1, 1],
    [2, 3, 1],
  ]);
  assert.deepEqual(computeSpansOfIds([]), []);
});

test('gives a wide card two rows when two narrow ones fill the column beside it', () => {
  assert.deepEqual(
    computeSpansOfIds(['net_worth', 'accounts', 'movers', 'earnings', 'news', 'holdings', 'watchlist']),
    [
      [2, 2, 2],
      [1, 1, 1],
      [1, 1, 1],
      [1, 1, 1],
      [1, 1, 1],
      [2, 1, 1],
      [2, 3, 1],
    ],
  );
  assert.deepEqual(computeSpansOfIds(['net_worth', 'accounts', 'watchlist'])[0], [2, 2, 1]);
});

test('fills every grid row for any set and order of cards', () => {
  const ids = ['net_worth', 'holdings', 'earnings', 'news', 'watchlist'] as const;
  for (const removed of [undefined, ...ids])
    for (const first of ids)
      for (const second of ids)
        for (const columns of [2, 3]) {
          const movedIds = moveEntry(moveEntry(ids, second, -5), first, -5).filter((id) => id !== removed);
          let column = 0;
          for (const [index, span] of computeSpansOfIds(movedIds).entries()) {
            if (movedIds[index] === 'watchlist')
              assert.equal(column, 0, `a hole beside the watchlist: ${movedIds.join()}`);
            column += span[columns - 2]! * (columns === 3 ? span[2] : 1);
            // The cells of a tall card and of the two beside it are six, two whole rows.
            column %= columns;
          }
          assert.equal(column, 0, `a hole at the end: ${movedIds.join()}`);
        }
});

test('pairs small cards in a phone row without holes', () => {
  const ids = ['net_worth', 'holdings', 'earnings', 'news', 'watchlist'] as const;
  const emptyPresence = { netWorth: false, holdings: false, heldOrWatched: false };
  assert.deepEqual(pairSmall(ids, emptyPresence), [true, true, true, true, false]);
  assert.deepEqual(pairSmall(ids, { ...emptyPresence, netWorth: true }), [false, true, true, false, false]);
  assert.deepEqual(pairSmall(ids, { ...emptyPresence, heldOrWatched: true }), [true, true, false, false, false]);
  assert.deepEqual(pairSmall(['holdings', 'watchlist', 'news'], emptyPresence), [false, false, false]);
});

test('moves a card by one and stops at the ends', () => {
  assert.deepEqual(moveEntry(['a', 'b', 'c'], 'b', 1), ['a', 'c', 'b']);
  assert.deepEqual(moveEntry(['a', 'b', 'c'], 'a', -1), ['a', 'b', 'c']);
  assert.deepEqual(moveEntry(['a', 'b', 'c'], 'c', 9), ['a', 'b', 'c']);
  assert.deepEqual(moveEntry(['a', 'b'], 'x', 1), ['a', 'b']);
});
