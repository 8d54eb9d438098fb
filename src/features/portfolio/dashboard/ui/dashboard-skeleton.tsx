import { CardPlaceholder } from '../../../../ui/kit/card-placeholder.tsx';
import type { DashboardCard } from '../../../../ui/shell/dashboard/dashboard-card.ts';
import type { CardId } from '../contract.ts';
import { DashboardGrid } from './dashboard-grid.tsx';
import { computeColumnSpans } from './column-spans.ts';

/** On phones the controls of the net worth have a line of their own, and few accounts need less room. */
const placeholderHeights: Partial<Record<CardId, string>> = {
  net_worth: 'min-h-122.5 sm:min-h-106',
  accounts: 'min-h-68 sm:min-h-106',
};

/** Shows placeholders of the default cards until the member's layout is known. */
export function DashboardSkeleton({ cards }: { cards: readonly Pick<DashboardCard, 'id' | 'size'>[] }) {
  const spans = computeColumnSpans(cards);
  const placeholders = spans.map((span, index) => ({
    id: String(index),
    span,
    content: <CardPlaceholder className={cards[index] && placeholderHeights[cards[index].id]} />,
  }));
  return <DashboardGrid cards={placeholders} />;
}
