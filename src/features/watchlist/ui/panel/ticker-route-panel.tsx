import { besidePage } from '../../../../ui/shell/dashboard/beside-page.ts';
import { LazyPart, lazyPart } from '../../../../ui/shell/loading/lazy-part.tsx';
import { navigate, useSearch } from '../../../../ui/shell/navigation/location.ts';
import { useWatchlist } from '../list/watchlist-query.ts';
import { closedLink } from './ticker-address.ts';
import type { TickerSurroundings } from './ticker-details.tsx';

const panelPart = lazyPart('The ticker’s detail', () => import('./ticker-without-card.tsx'));

interface TickerRoutePanelProps extends TickerSurroundings {
  isOffered: boolean;
  /** Whether the card is on the page, which opens its tickers itself; null while it is not known. */
  cardIsShown: boolean | null;
}

/** The panel of the ticker in the page's address, where the card cannot open it. */
export function TickerRoutePanel(props: TickerRoutePanelProps) {
  const symbol = useSearch().get('ticker');
  return symbol === null ? null : <PanelOf key={symbol} symbol={symbol} {...props} />;
}

function PanelOf({ symbol, isOffered, cardIsShown, ...surroundings }: TickerRoutePanelProps & { symbol: string }) {
  const { data: list, error, isPending, refetch } = useWatchlist(isOffered);
  if (list === null || isPending || cardIsShown === null || (list && cardIsShown)) return null;
  return (
    <LazyPart
      part={panelPart}
      props={{ symbol, list, error, retry: () => void refetch(), ...surroundings }}
      {...besidePage}
      onClose={() => navigate(closedLink(), { keepScroll: true })}
    />
  );
}
