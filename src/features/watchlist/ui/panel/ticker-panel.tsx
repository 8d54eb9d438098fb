import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError } from '../../../../ui/kit/api-error.ts';
import { showToast } from '../../../../ui/kit/toasts.ts';
import { ErrorMessage } from '../../../../ui/kit/error-message.tsx';
import { Skeleton } from '../../../../ui/kit/skeleton.tsx';
import type { Watchlist } from '../../contract.ts';
import { capture } from '../list/capture.ts';
import { isPending as isPendingRow } from '../list/item-labels.ts';
import { closePanel, SidePanel } from './side-panel.tsx';
import { TickerDetails, type TickerContextProps } from './ticker-details.tsx';
import { useTicker } from './ticker-query.ts';
import { watchlistQueryKey } from '../list/watchlist-query.ts';

export interface TickerPanelProps extends TickerContextProps {
  symbol: string;
  list: Watchlist;
}

/** Returns why the detail is missing: locked on a smaller plan, removed, or never on the list. */
function formatMissingMessage(symbol: string, row: Watchlist['items'][number] | undefined): string {
  if (row?.locked) return `${symbol} is locked on your plan.`;
  return row ? `${symbol} is no longer on your watchlist.` : `${symbol} is not on your watchlist.`;
}

/** Shows one ticker in the side panel at its own URL (`?ticker=AAPL&range=1M`). */
export default function TickerPanel({ symbol, list, ...tickerContext }: TickerPanelProps) {
  const row = list.items.find((item) => item.symbol === symbol);
  const { data, error, isPending, isPaused, refetch } = useTicker(symbol, row !== undefined && isPendingRow(row));
  const queries = useQueryClient();
  const isMissing = error instanceof ApiError && error.status === 404;
  const name = data?.name ?? row?.name ?? symbol;

  useEffect(() => {
    capture('watchlist_detail_opened', list, { symbol });
    // Runs once per opening.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [symbol]);
  useEffect(() => {
    if (!isMissing) return;
    showToast(formatMissingMessage(symbol, row));
    closePanel({ replace: true });
    // Another tab removed the row, or the plan is smaller now. The cached list is therefore outdated.
    void queries.invalidateQueries({ queryKey: watchlistQueryKey, exact: true });
    // Uses the row at the time of the response.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isMissing, symbol, queries]);

  return (
    <SidePanel title={name}>
      {data && <TickerDetails detail={data} list={list} {...tickerContext} onClose={closePanel} />}
      {isPaused && !data && (
        <p role="status" className="mt-4 rounded-control bg-warn-soft px-4 py-3 text-small text-warn">
          You are offline. This will load when you are back online.
        </p>
      )}
      {isPending && !isPaused && <Skeleton lines={8} label={`Loading ${symbol}`} />}
      {error && !isMissing && !data && (
        <div className="mt-4">
          <ErrorMessage
            error={error}
            retry={() => {
              void refetch();
            }}
          />
        </div>
      )}
    </SidePanel>
  );
}
