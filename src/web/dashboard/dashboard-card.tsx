import { memo } from 'react';
import type { CardId } from '../../dashboard/contract.ts';
import type { CardProps } from '../ui/card-shell.tsx';
import type { AssistantQuestion } from '../../watchlist/web/neutral-question.ts';
import type { BoughtSecurity } from '../../watchlist/web/ticker-details.tsx';
import WatchlistCard from '../../watchlist/web/watchlist-card.tsx';
import { Boundary } from '../ui/boundary.tsx';
import { Failure } from '../ui/failure.tsx';
import { investmentCards } from './card-screens.ts';

interface DashboardCardProps extends CardProps {
  id: CardId;
  onBought: (security: BoughtSecurity) => void;
  onAsk: (question: AssistantQuestion) => void;
}

/** One card by its id. A card that breaks says so in its own place; the others go on. */
export const DashboardCard = memo(function DashboardCard({ id, onBought, onAsk, ...props }: DashboardCardProps) {
  return (
    <Boundary
      renderFailed={(error, retry) => (
        <div className="card min-h-106 p-4">
          <Failure error={error} retry={retry} />
        </div>
      )}
    >
      <Content id={id} onBought={onBought} onAsk={onAsk} {...props} />
    </Boundary>
  );
});

function Content({ id, onBought, onAsk, ...props }: DashboardCardProps) {
  if (id === 'watchlist') return <WatchlistCard privacy={props.privacy} onBought={onBought} onAsk={onAsk} />;
  const Card = investmentCards[id];
  return <Card {...props} />;
}
