import { cardId, type CardId, type DashboardResponse } from './contract.ts';

/** A card that was offered to the member at a save, in the member's order. */
export interface StoredCard {
  id: CardId;
  shown: boolean;
}

/** The cards that there are for a member. */
export const listOfferedCards = ({ watchlist }: { watchlist: boolean }): CardId[] =>
  cardId.options.filter((id) => watchlist || id !== 'watchlist');

/**
 * What the dashboard shows: the saved cards in their order, then those that the member has not yet placed or removed.
 */
export function mergeLayout(saved: readonly StoredCard[] | undefined, offered: readonly CardId[]): DashboardResponse {
  const storedCards = (saved ?? []).filter(({ id }) => offered.includes(id));
  const newCards = offered
    .filter((id) => !storedCards.some((card) => card.id === id))
    .map((id) => ({ id, shown: true }));
  const allCards = [...storedCards, ...newCards];
  const filterByShown = (shown: boolean): { id: CardId }[] =>
    allCards.filter((card) => card.shown === shown).map(({ id }) => ({ id }));
  return { cards: filterByShown(true), removed: filterByShown(false) };
}

/**
 * What is stored when the member wants exactly these cards: the others that were offered count as removed. What was
 * saved of a card that is not offered now stays, so that one that was removed is still so when it is offered again.
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
