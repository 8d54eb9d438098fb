import { memo, useDeferredValue, useState } from 'react';
import { ErrorBoundary } from '../../../../ui/kit/error-boundary.tsx';
import { ErrorMessage } from '../../../../ui/kit/error-message.tsx';
import type { DeferredQueryResult } from '../../../../ui/kit/use-deferred-query.ts';
import type { CardProps, DashboardCard, PortfolioPresence } from './shared/dashboard-card.ts';
import { LazyComponent } from '../../../../ui/shell/loading/lazy-component.tsx';
import type { DashboardResponse } from '../contract.ts';
import { DashboardGrid } from './dashboard-grid.tsx';
import { type FirstRun, useFirstRun } from './use-first-run.ts';
import { lazyCardDragHandle, lazyEmptyDashboard, lazyFirstRunCard } from './lazy-components.ts';
import { pairHalfWidthCards } from './pair-half-width-cards.ts';
import { ReservedCard } from './reserved-card.tsx';
import type { CardDrag } from './use-drag-cards.ts';
import { DashboardSkeleton } from './dashboard-skeleton.tsx';

interface DashboardBodyProps extends Omit<CardsProps, 'shown' | 'presence' | 'firstRun'> {
  /** Cards of the skeleton while the layout is unknown. */
  defaultCards: readonly DashboardCard[];
  layout: DeferredQueryResult<DashboardResponse>;
  shown: readonly DashboardCard[] | undefined;
  /** Undefined until it is known. A card must not change its height before it has rows. */
  presence: PortfolioPresence | undefined;
  onAddCard: () => void;
}

/** Shows the cards, a skeleton of the default ones, the error, or the empty dashboard. */
export function DashboardBody({ defaultCards, layout, shown, presence, onAddCard, ...rest }: DashboardBodyProps) {
  const firstRun = useFirstRun();
  if (!shown && !layout.isPending)
    return (
      <ErrorMessage
        error={layout.error}
        retry={() => {
          void layout.refetch();
        }}
      />
    );
  if (!shown || !presence || firstRun.isPending) return <DashboardSkeleton cards={defaultCards} />;
  if (shown.length === 0) return <LazyComponent component={lazyEmptyDashboard} props={{ onAddCard }} />;
  return <Cards shown={shown} presence={presence} firstRun={firstRun} {...rest} />;
}

interface CardsProps {
  shown: readonly DashboardCard[];
  presence: PortfolioPresence;
  firstRun: FirstRun;
  /** True while the height of the card of size `row` is unknown. */
  isRowPending: boolean;
  isArranging: boolean;
  cardProps: CardProps;
  onAnnounce: (text: string) => void;
}

function Cards({ shown, presence, firstRun, isRowPending, isArranging, cardProps, onAnnounce }: CardsProps) {
  const [drag, setDrag] = useState<CardDrag | null>(null);
  // The first steps take the place of cards that have nothing to show.
  const stage = isArranging ? null : firstRun.stage;
  const isFirstRun = stage === 'empty';
  const isWatching = cardProps.hasWatchlist || presence.heldOrWatched;
  const filledCards = isFirstRun
    ? shown.filter(({ needs }) => needs === undefined || (needs === 'heldOrWatched' && isWatching))
    : shown;
  // The first card is painted before the others are rendered.
  const isPainted = useDeferredValue(true, false);
  const isHalfWidthByIndex = pairHalfWidthCards(filledCards, presence);
  const cards = filledCards.map((card, index) => ({
    id: card.id,
    size: card.size,
    isHalfWidth: isHalfWidthByIndex[index]!,
    variant: getVariant(drag, card.id, index),
    isUnsettled: isRowPending && card.size === 'row',
    content: (
      <>
        {isArranging && (
          <LazyComponent
            component={lazyCardDragHandle}
            props={{ card, cards: shown, onDrag: setDrag, onAnnounce }}
            fallback={<span className="mb-1.5 block h-9" />}
          />
        )}
        {isPainted || index === 0 || (card.needs && !presence[card.needs]) ? (
          <CardContent card={card} {...cardProps} />
        ) : (
          <ReservedCard id={card.id} />
        )}
      </>
    ),
  }));
  const firstRunCard = {
    id: 'first-run',
    size: 'row',
    content: (
      <LazyComponent
        component={lazyFirstRunCard}
        props={{
          stage: stage ?? 'empty',
          hasWatchlist: shown.some(({ id }) => id === 'watchlist'),
          onConnect: cardProps.onConnect,
          onAddInvestment: cardProps.onAddInvestment,
          onClose: firstRun.close,
        }}
      />
    ),
  } as const;
  return <DashboardGrid cards={stage !== null ? [firstRunCard, ...cards] : cards} />;
}

function getVariant(drag: CardDrag | null, id: DashboardCard['id'], index: number): 'dragged' | 'target' | undefined {
  if (drag?.id === id) return 'dragged';
  return drag?.to === index ? 'target' : undefined;
}

/** Shows one card. An error in a card is shown in its place, and other cards are unaffected. */
const CardContent = memo(function CardContent({ card, ...props }: CardProps & { card: DashboardCard }) {
  return (
    <ErrorBoundary
      renderError={(error, retry) => (
        <div className="card p-4">
          <ErrorMessage error={error} retry={retry} />
        </div>
      )}
    >
      <card.Content {...props} />
    </ErrorBoundary>
  );
});
