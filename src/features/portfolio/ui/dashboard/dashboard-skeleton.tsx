import { CardPlaceholder } from '../../../../ui/kit/card-placeholder.tsx';
import type { DashboardCard } from '../../../../ui/shell/dashboard/dashboard-card.ts';
import { DashboardGrid } from './dashboard-grid.tsx';
import { computeColumnSpans } from './column-spans.ts';

/** On phones the controls of this card have a line of their own. */
const netWorthHeight = 'min-h-122.5 sm:min-h-106';

/** Shows placeholders of the default cards until the member's layout is known. */
export function DashboardSkeleton({ cards }: { cards: readonly Pick<DashboardCard, 'id' | 'size'>[] }) {
  const spans = computeColumnSpans(cards);
  const placeholders = spans.map((span, index) => ({
    id: String(index),
    span,
    content: <CardPlaceholder className={cards[index]?.id === 'net_worth' ? netWorthHeight : undefined} />,
  }));
  return <DashboardGrid cards={placeholders} />;
}
