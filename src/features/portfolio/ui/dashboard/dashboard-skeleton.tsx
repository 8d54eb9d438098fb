import { CardPlaceholder } from '../../../../ui/kit/card-placeholder.tsx';
import type { DashboardCard } from '../../../../ui/shell/dashboard/dashboard-card.ts';
import { DashboardGrid } from './dashboard-grid.tsx';
import { computeColumnSpans } from './column-spans.ts';

/** Shows placeholders of the default cards until the member's layout is known. */
export function DashboardSkeleton({ cards }: { cards: readonly Pick<DashboardCard, 'size'>[] }) {
  const spans = computeColumnSpans(cards);
  const placeholders = spans.map((span, index) => ({ id: String(index), span, content: <CardPlaceholder /> }));
  return <DashboardGrid cards={placeholders} />;
}
