import type { CardId } from '../../dashboard/contract.ts';
import type { CardProps } from '../ui/card-shell.tsx';
import { WatchlistPreview } from './watchlist-preview.tsx';
import { investmentCards } from './card-screens.ts';

/** A card with the member's own data, smaller, and out of reach of pointer, keyboard and screen reader. */
export function CardPreview({ id, cardProps }: { id: CardId; cardProps: CardProps }) {
  return (
    <div inert aria-hidden="true" className="h-52 overflow-hidden rounded-card border border-line bg-surface">
      <div className="w-[166.67%] origin-top-left scale-60">
        {id === 'watchlist' ? <WatchlistPreview /> : <InvestmentPreview id={id} cardProps={cardProps} />}
      </div>
    </div>
  );
}

function InvestmentPreview({ id, cardProps }: { id: Exclude<CardId, 'watchlist'>; cardProps: CardProps }) {
  const Card = investmentCards[id];
  return <Card {...cardProps} />;
}
