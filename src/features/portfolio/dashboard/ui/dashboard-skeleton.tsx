import { DashboardGrid } from './dashboard-grid.tsx';
import { ReservedCard } from './reserved-card.tsx';
import type { DashboardCard } from './shared/dashboard-card.ts';

/** Shows placeholders of the default cards until the member's layout is known, down to one of unknown height. */
export function DashboardSkeleton({ cards }: { cards: readonly Pick<DashboardCard, 'id' | 'size'>[] }) {
  const placeholders = cards.map(({ id, size }, index) => ({
    id: String(index),
    size,
    content: <ReservedCard id={id} />,
  }));
  return <DashboardGrid cards={placeholders} />;
}
