import type { CardId } from '../../../features/portfolio/dashboard/contract.ts';
import { portfolioHoldingsQuery } from '../../../features/portfolio/holdings/ui/holdings-queries.ts';
import { netWorthQuery } from '../../../features/portfolio/net-worth/ui/net-worth-queries.ts';
import { dividendsQuery } from '../../../features/portfolio/dividends/ui/dividends-query.ts';
import { earningsQuery, newsQuery } from '../../../features/portfolio/dashboard/ui/cards/card-queries.ts';
import { isCardOffered, prefetchDashboard } from '../../../features/portfolio/dashboard/ui/layout-query.ts';
import { prefetchedReportsQuery, watchlistQuery } from '../../../features/watchlist/ui/list/watchlist-query.ts';
import { makeOnce } from '../../kit/make-once.ts';
import { prefetchWhenSignedIn } from '../api/queries.tsx';
import { accountsQuery } from '../../../features/portfolio/holdings/ui/accounts-query.ts';
import type { PrefetchFromHome } from '../../../features/portfolio/dashboard/ui/home-read.ts';

// The reads of a page start while its screen loads, so this file imports no component.

/** Reads of the dashboard's cards. */
const readByCard: Readonly<Record<CardId, (prefetchFromHome: PrefetchFromHome) => void>> = {
  net_worth: (prefetchFromHome) => prefetchFromHome('net_worth', netWorthQuery),
  accounts: (prefetchFromHome) => prefetchFromHome('accounts', accountsQuery),
  movers: (prefetchFromHome) => prefetchFromHome('holdings', portfolioHoldingsQuery),
  earnings: (prefetchFromHome) => prefetchFromHome('earnings', earningsQuery),
  dividends: (prefetchFromHome) => prefetchFromHome('dividends', dividendsQuery),
  news: (prefetchFromHome) => prefetchFromHome('news', newsQuery),
  holdings: (prefetchFromHome) => prefetchFromHome('holdings', portfolioHoldingsQuery),
  watchlist(prefetchFromHome) {
    prefetchFromHome('watchlist', watchlistQuery);
    prefetchFromHome('watched_earnings', prefetchedReportsQuery);
  },
};

/** Reads the data of `/dashboard` as soon as the session is known. */
export const startDashboardReads = makeOnce(() => {
  prefetchWhenSignedIn((queries) => prefetchDashboard(queries, readByCard));
});

/** Reads the holdings of `/portfolio` as soon as the session is known. */
export const startPortfolioReads = makeOnce(() => {
  prefetchWhenSignedIn((queries) => {
    void queries.prefetchQuery(portfolioHoldingsQuery);
  });
});

/** Reads whether the member has the watchlist, and the list if this browser has shown it. */
export const startWatchlistReads = makeOnce(() => {
  const reads = isCardOffered('watchlist', undefined) ? { watchlist: readByCard.watchlist } : {};
  prefetchWhenSignedIn((queries) => prefetchDashboard(queries, reads));
});
