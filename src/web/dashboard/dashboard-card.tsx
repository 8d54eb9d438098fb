import { Suspense } from 'react';
import type { CardId } from '../../investments/contract.ts';
import type { CardProps } from '../../investments/web/card-shell.tsx';
import type { BoughtSecurity } from '../../watchlist/web/watchlist-card.tsx';
import { CardBoundary } from './card-boundary.tsx';
import { cardNames, investmentCards, WatchlistCard } from './card-screens.ts';

export interface DashboardCardProps extends CardProps {
  id: CardId;
  onBought: (security: BoughtSecurity) => void;
}

/** One card by its id. A card that breaks says so in its own place; the others go on. */
export function DashboardCard({ id, onBought, ...props }: DashboardCardProps) {
  return (
    <CardBoundary>
      <Suspense fallback={<CardPlace name={cardNames[id]} />}>
        <Content id={id} onBought={onBought} {...props} />
      </Suspense>
    </CardBoundary>
  );
}

function Content({ id, onBought, ...props }: DashboardCardProps) {
  if (id === 'watchlist') return <WatchlistCard privacy={props.privacy} onBought={onBought} />;
  const Card = investmentCards[id];
  return <Card {...props} />;
}

/** Holds a card's place while its code travels. */
export function CardPlace({ name }: { name: string }) {
  return (
    <div role="status" className="card min-h-106 px-4 pt-3.5 sm:px-5">
      <span className="sr-only">{`Loading ${name.toLowerCase()}`}</span>
      <span aria-hidden="true" className="skeleton h-5 w-32" />
    </div>
  );
}
