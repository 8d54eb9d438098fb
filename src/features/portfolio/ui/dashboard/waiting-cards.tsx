import type { CardId } from '../../dashboard/contract.ts';
import { DashboardGrid } from './dashboard-grid.tsx';
import { placeInColumns } from './place-in-columns.ts';

/** The cards of a member who has changed nothing. */
export const usualCards: readonly CardId[] = ['net_worth', 'holdings', 'earnings', 'news', 'watchlist'];

const places = placeInColumns(usualCards).map((span, index) => ({
  id: String(index),
  span,
  content: <CardPlace />,
}));

/** What stands there until the member's order is known: the places of the usual one. */
export const WaitingCards = () => <DashboardGrid cards={places} />;

/** Holds a card's place while it is not known which one stands there, or what is in it. */
export function CardPlace() {
  return (
    <div className="card min-h-106 px-4 pt-3.5 sm:px-5">
      <span aria-hidden="true" className="skeleton h-5 w-32" />
    </div>
  );
}
