import { type ComponentType, memo } from 'react';
import type { CardId } from '../../dashboard/contract.ts';
import { EarningsCard } from '../cards/earnings-card.tsx';
import { NewsCard } from '../cards/news-card.tsx';
import { HoldingsCard } from '../cards/holdings-card.tsx';
import { NetWorthCard } from '../cards/net-worth-card.tsx';
import type { AssistantQuestion } from '../../../watchlist/ui/panel/neutral-question.ts';
import type { BoughtSecurity } from '../../../watchlist/ui/panel/ticker-details.tsx';
import WatchlistCard from '../../../watchlist/ui/card/watchlist-card.tsx';
import { Boundary } from '../../../../ui/kit/boundary.tsx';
import type { CardProps } from '../cards/card-shell.tsx';
import { Failure } from '../../../../ui/kit/failure.tsx';

type InvestmentCardId = Exclude<CardId, 'watchlist'>;

export const cardNames: Readonly<Record<CardId, string>> = {
  net_worth: 'Net worth',
  holdings: 'Holdings',
  earnings: 'Upcoming earnings',
  news: 'Latest news',
  watchlist: 'Watchlist',
};

const investmentCards: Readonly<Record<InvestmentCardId, ComponentType<CardProps>>> = {
  net_worth: NetWorthCard,
  holdings: HoldingsCard,
  earnings: EarningsCard,
  news: NewsCard,
};

/** One of the cards that the investments bring; the watchlist's takes other properties. */
export function InvestmentCard({ id, ...props }: CardProps & { id: InvestmentCardId }) {
  const Card = investmentCards[id];
  return <Card {...props} />;
}

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
