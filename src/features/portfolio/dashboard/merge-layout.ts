import { cardId, type CardId, type DashboardResponse } from './contract.ts';

/** Card that was offered to the member at a save, in the member's order. */
export interface StoredCard {
  id: CardId;
  shown: boolean;
}

/** Returns the cards that the member may have. */
export const listOfferedCards = ({ watchlist }: { watchlist: boolean }): CardId[] =>
  cardId.options.filter((id) => watchlist || id !== 'watchlist');

/**
 * Returns the layout of the dashboard: saved cards in their order, then cards that the member has not placed or
 * removed. These stand before a watchlist at the end, which stays the last card.
 */
export function mergeLayout(saved: readonly StoredCard[] | undefined, offered: readonly CardId[]): DashboardResponse {
  const storedCards = (saved ?? []).filter(({ id }) => offered.includes(id));
  const newCards = offered
    .filter((id) => !storedCards.some((card) => card.id === id))
    .map((id) => ({ id, shown: true }));
  const shownCards = storedCards.filter(({ shown }) => shown);
  const end = shownCards.at(-1)?.id === 'watchlist' ? storedCards.indexOf(shownCards.at(-1)!) : storedCards.length;
  const allCards = storedCards.toSpliced(end, 0, ...newCards);
  const filterByShown = (shown: boolean): { id: CardId }[] =>
    allCards.filter((card) => card.shown === shown).map(({ id }) => ({ id }));
  return { cards: filterByShown(true), removed: filterByShown(false) };
}

/**
 * Returns the rows to store if the member wants exactly these cards. Other offered cards become removed. The rows of
 * cards that are not offered now are kept, so that a removed card stays removed when it is offered again.
 */
export function toStoredLayout(
  shownIds: readonly CardId[],
  offered: readonly CardId[],
  saved: readonly StoredCard[] = [],
): StoredCard[] {
  const removed = offered.filter((id) => !shownIds.includes(id));
  const unofferedCards = cardId.options
    .filter((id) => !offered.includes(id))
    .flatMap((id) => saved.find((card) => card.id === id) ?? []);
  return [
    ...shownIds.map((id) => ({ id, shown: true })),
    ...removed.map((id) => ({ id, shown: false })),
    ...unofferedCards,
  ];
}
