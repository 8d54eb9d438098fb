import type { ReactNode } from 'react';

/** A card of the dashboard in its place. */
interface PlacedCard {
  id: string;
  /** How many of three columns it takes where there are three. */
  span: 1 | 2;
  /** It stands below a card whose height is not known yet: it is seen once it has its place. */
  waits?: boolean;
  content: ReactNode;
  /** During a drag: the dragged card, and the card whose place it would take. */
  look?: keyof typeof looks | undefined;
}

const looks = {
  dragged: 'relative z-5 rounded-card opacity-90 shadow-raised',
  target: 'rounded-card outline-2 outline-offset-4 outline-accent',
} as const;

/** The content grid: cards in their order, one column on a phone, two on a tablet, three beyond. Screen readers hear
 * a list. */
export function DashboardGrid({ cards }: { cards: readonly PlacedCard[] }) {
  return (
    <ul
      aria-label="Cards"
      className="grid grid-cols-1 items-start gap-4 min-[48rem]:grid-cols-2 sm:gap-5 lg:grid-cols-3"
    >
      {cards.map(({ id, span, waits, look, content }) => (
        <li
          key={id}
          id={`card-${id}`}
          data-look={look}
          className={
            `min-w-0 ${span === 2 ? 'min-[48rem]:col-span-2' : ''} ${waits ? 'invisible' : ''} ` +
            (look ? looks[look] : '')
          }
        >
          {content}
        </li>
      ))}
    </ul>
  );
}
