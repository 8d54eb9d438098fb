import { lazyErrorProps } from '../../../../ui/shell/dashboard/lazy-error-props.ts';
import { LazyComponent, lazyComponent } from '../../../../ui/shell/loading/lazy-component.tsx';
import { navigate, useSearchParams } from '../../../../ui/shell/navigation/location.ts';
import { useWatchlist } from '../list/watchlist-query.ts';
import { getClosedPanelUrl } from './ticker-url.ts';
import type { TickerContextProps } from './ticker-details.tsx';

const lazyTickerPanel = lazyComponent('Ticker details', () => import('./ticker-without-card.tsx'));

interface TickerRoutePanelProps extends TickerContextProps {
  isOffered: boolean;
  /** Whether the page shows the card, which opens its tickers itself. null while unknown. */
  isCardShown: boolean | null;
}

/** Shows the panel for the ticker in the page's URL if the card cannot open it. */
export function TickerRoutePanel(props: TickerRoutePanelProps) {
  const symbol = useSearchParams().get('ticker');
  return symbol === null ? null : <SymbolPanel key={symbol} symbol={symbol} {...props} />;
}

function SymbolPanel({ symbol, isOffered, isCardShown, ...tickerContext }: TickerRoutePanelProps & { symbol: string }) {
  const { data: list, error, isPending, refetch } = useWatchlist(isOffered);
  if (list === null || isPending || isCardShown === null || (list && isCardShown)) return null;
  return (
    <LazyComponent
      component={lazyTickerPanel}
      props={{
        symbol,
        list,
        error,
        retry: () => {
          void refetch();
        },
        ...tickerContext,
      }}
      {...lazyErrorProps}
      onClose={() => navigate(getClosedPanelUrl(), { keepScroll: true })}
    />
  );
}
