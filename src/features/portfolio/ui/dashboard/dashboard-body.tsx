import { memo, useState } from 'react';
import { Boundary } from '../../../../ui/kit/boundary.tsx';
import { Failure } from '../../../../ui/kit/failure.tsx';
import type { Reading } from '../../../../ui/kit/use-deferred-reading.ts';
import type { CardProps, DashboardCard, PortfolioState } from '../../../../ui/shell/dashboard/dashboard-card.ts';
import { LazyPart } from '../../../../ui/shell/loading/lazy-part.tsx';
import type { DashboardResponse } from '../../dashboard/contract.ts';
import { DashboardGrid } from './dashboard-grid.tsx';
import { cardBar, emptyDashboard } from './dialogs.ts';
import { pairSmall, placeInColumns } from './place-in-columns.ts';
import type { CardDrag } from './use-drag-cards.ts';
import { WaitingCards } from './waiting-cards.tsx';

interface DashboardBodyProps extends Omit<CardsProps, 'shown' | 'has'> {
  /** Whose places are held until the layout is known. */
  usualCards: readonly DashboardCard[];
  layout: Reading<DashboardResponse>;
  shown: readonly DashboardCard[] | undefined;
  /** Undefined until it is known: no card may change its height before it has rows. */
  has: PortfolioState | undefined;
  onAddWidget: () => void;
}

/** The cards, or what stands in their place: the places of the usual ones, the failure, the way to the first card. */
export function DashboardBody({ usualCards, layout, shown, has, onAddWidget, ...rest }: DashboardBodyProps) {
  if (!shown && !layout.isPending) return <Failure error={layout.error} retry={() => void layout.refetch()} />;
  if (!shown || !has) return <WaitingCards cards={usualCards} />;
  if (shown.length === 0) return <LazyPart part={emptyDashboard} props={{ onAddWidget }} />;
  return <Cards shown={shown} has={has} {...rest} />;
}

interface CardsProps {
  shown: readonly DashboardCard[];
  has: PortfolioState;
  /** The height of the card of size `row` is not known yet. */
  rowIsPending: boolean;
  arranging: boolean;
  cardProps: CardProps;
  onAnnounce: (text: string) => void;
}

function Cards({ shown, has, rowIsPending, arranging, cardProps, onAnnounce }: CardsProps) {
  const [drag, setDrag] = useState<CardDrag | null>(null);
  const spans = placeInColumns(shown);
  const halves = pairSmall(shown, has);
  // What stands below a card whose height is not known waits for its place; the other cards hold their height.
  const pendingRow = rowIsPending ? shown.findIndex(({ size }) => size === 'row') : -1;
  const cards = shown.map((card, index) => ({
    id: card.id,
    span: spans[index]!,
    half: halves[index]!,
    look: drag?.id === card.id ? ('dragged' as const) : drag?.to === index ? ('target' as const) : undefined,
    waits: pendingRow !== -1 && index > pendingRow,
    content: (
      <>
        {arranging && (
          <LazyPart
            part={cardBar}
            props={{ card, cards: shown, onDrag: setDrag, onAnnounce }}
            waiting={<span className="mb-1.5 block h-9" />}
          />
        )}
        <CardContent card={card} {...cardProps} />
      </>
    ),
  }));
  return <DashboardGrid cards={cards} />;
}

/** One card. A card that breaks says so in its own place; the others go on. */
const CardContent = memo(function CardContent({ card, ...props }: CardProps & { card: DashboardCard }) {
  return (
    <Boundary
      renderFailed={(error, retry) => (
        <div className="card min-h-106 p-4">
          <Failure error={error} retry={retry} />
        </div>
      )}
    >
      <card.Content {...props} />
    </Boundary>
  );
});
