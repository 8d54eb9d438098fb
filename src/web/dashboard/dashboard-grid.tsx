import type { ReactNode } from 'react';

/** A card of the dashboard in its place. */
export interface PlacedCard {
  id: string;
  /** How many of three columns it takes where there are three. */
  span: 1 | 2;
  /** It stands below a card whose height is not known yet: it is seen once it has its place. */
  waits?: boolean;
  content: ReactNode;
}

/** The content grid: cards in their order, one column on a phone, two on a tablet, three beyond. Screen readers hear a list. */
export function DashboardGrid({ cards }: { cards: readonly PlacedCard[] }) {
  return (
    <ul aria-label="Cards" className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2 sm:gap-5 lg:grid-cols-3">
      {cards.map(({ id, span, waits, content }) => (
        <li key={id} id={`card-${id}`} className={`min-w-0 ${span === 2 ? 'sm:col-span-2' : ''} ${waits ? 'invisible' : ''}`}>
          {content}
        </li>
      ))}
    </ul>
  );
}
