import { cardId, type CardId, type DashboardResponse } from './contract.ts';

/** A card that was offered to the member at a save, in the member's order. */
export interface PlacedCard {
  id: CardId;
  shown: boolean;
}

/** The cards that there are for a member. */
export const offeredCards = ({ watchlist }: { watchlist: boolean }): CardId[] =>
  cardId.options.filter((id) => watchlist || id !== 'watchlist');

/**
 * What the dashboard shows: the saved cards in their order, then those that the member has not yet placed or removed.
 */
export function placeCards(saved: readonly PlacedCard[] | undefined, offered: readonly CardId[]): DashboardResponse {
  const placed = (saved ?? []).filter(({ id }) => offered.includes(id));
  const fresh = offered.filter((id) => !placed.some((card) => card.id === id)).map((id) => ({ id, shown: true }));
  const all = [...placed, ...fresh];
  const pick = (shown: boolean): { id: CardId }[] =>
    all.filter((card) => card.shown === shown).map(({ id }) => ({ id }));
  return { cards: pick(true), removed: pick(false) };
}

/**
 * What is stored when the member wants exactly these cards: the others that were offered count as removed. What was
 * saved of a card that is not offered now stays, so that one that was removed is still so when it is offered again.
 */
export function chooseCards(
  wanted: readonly CardId[],
  offered: readonly CardId[],
  saved: readonly PlacedCard[] = [],
): PlacedCard[] {
  const removed = offered.filter((id) => !wanted.includes(id));
  const kept = cardId.options
    .filter((id) => !offered.includes(id))
    .flatMap((id) => saved.find((card) => card.id === id) ?? []);
  return [...wanted.map((id) => ({ id, shown: true })), ...removed.map((id) => ({ id, shown: false })), ...kept];
}
