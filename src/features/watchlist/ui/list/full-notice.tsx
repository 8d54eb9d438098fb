import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../../../ui/shell/api/api.ts';
import type { Watchlist } from '../../contract.ts';
import { formatListCount } from './item-labels.ts';
import { UpgradeLink } from './upgrade-link.tsx';

interface FullNoticeProps {
  list: Watchlist;
  /** Symbol that the member wanted to add. */
  symbol: string | undefined;
}

/** Says that the list is full, and what makes room: a removal, or the next plan with its number of tickers. */
export function FullNotice({ list, symbol }: FullNoticeProps) {
  const plans = useQuery({ queryKey: ['plans'], queryFn: ({ signal }) => callApi('GET /api/plans', { signal }) }).data
    ?.plans;
  const larger = plans?.find(({ watchlist_limit: limit }) => limit > list.limit);
  return (
    <p className="rounded-control bg-sunken px-3 py-2 text-small">
      <span>{`Watchlist full, ${formatListCount(list)}.`}</span> Remove a ticker to add another.{' '}
      {(!plans || larger) && (
        <>
          <UpgradeLink source="dashboard_watchlist_limit" list={list} symbol={symbol} />
          {larger && ` for ${larger.watchlist_limit} tickers.`}
        </>
      )}
    </p>
  );
}
