import { CardPlaceholder } from '../../../../ui/kit/card-placeholder.tsx';
import type { DashboardCard } from './shared/dashboard-card.ts';
import { cardHeights } from './card-heights.ts';
import { DashboardGrid } from './dashboard-grid.tsx';
import { computeColumnSpans } from './column-spans.ts';

/** Shows placeholders of the default cards until the member's layout is known, down to one of unknown height. */
export function DashboardSkeleton({ cards }: { cards: readonly Pick<DashboardCard, 'id' | 'size' | 'height'>[] }) {
  const spans = computeColumnSpans(cards);
  const lastIndex = cards.findIndex(({ height }) => height === 'content');
  const placeholders = cards.map(({ id }, index) => ({
    id: String(index),
    span: spans[index]!,
    isHidden: lastIndex !== -1 && index > lastIndex,
    content: <CardPlaceholder className={cardHeights[id]} />,
  }));
  return <DashboardGrid cards={placeholders} />;
}
