import { memo } from 'react';
import type { CardId } from '../../dashboard/contract.ts';
import type { CardProps } from '../ui/card-shell.tsx';
import type { AssistantQuestion } from '../../watchlist/web/neutral-question.ts';
import WatchlistCard, { type BoughtSecurity } from '../../watchlist/web/watchlist-card.tsx';
import { Boundary } from '../ui/boundary.tsx';
import { Failure } from '../ui/failure.tsx';
import { InvestmentCard } from './card-screens.tsx';

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
      {id === 'watchlist' ? (
        <WatchlistCard privacy={props.privacy} onBought={onBought} onAsk={onAsk} />
      ) : (
        <InvestmentCard id={id} {...props} />
      )}
    </Boundary>
  );
});
