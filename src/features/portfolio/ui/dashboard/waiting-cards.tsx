import { CardPlaceholder } from '../../../../ui/kit/card-placeholder.tsx';
import type { DashboardCard } from '../../../../ui/shell/dashboard/dashboard-card.ts';
import { DashboardGrid } from './dashboard-grid.tsx';
import { placeInColumns } from './place-in-columns.ts';

/** What stands there until the member's order is known: the places of the usual one. */
export function WaitingCards({ cards }: { cards: readonly Pick<DashboardCard, 'size'>[] }) {
  const spans = placeInColumns(cards);
  const places = spans.map((span, index) => ({ id: String(index), span, content: <CardPlaceholder /> }));
  return <DashboardGrid cards={places} />;
}
