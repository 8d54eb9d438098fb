import type { DashboardCard, PortfolioPresence } from './shared/dashboard-card.ts';

/** Returns which of the small cards share a phone row: two consecutive ones. */
export function pairHalfWidthCards(
  cards: readonly Pick<DashboardCard, 'needs'>[],
  presence: PortfolioPresence,
): boolean[] {
  const isSmall = cards.map(({ needs }) => needs !== undefined && !presence[needs]);
  const isPaired = cards.map(() => false);
  for (let index = 0; index + 1 < cards.length; index += 1) {
    if (isPaired[index] || !isSmall[index] || !isSmall[index + 1]) continue;
    isPaired[index] = true;
    isPaired[index + 1] = true;
  }
  return isPaired;
}
