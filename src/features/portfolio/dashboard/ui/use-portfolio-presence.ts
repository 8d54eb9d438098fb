import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { CardId } from '../contract.ts';
import { accountsQuery } from '../../holdings/ui/accounts-query.ts';
import { portfolioHoldingsQuery } from '../../holdings/ui/holdings-queries.ts';
import { netWorthQuery } from '../../net-worth/ui/net-worth-queries.ts';
import { readStored, writeStored } from '../../../../ui/kit/browser-storage.ts';
import { session } from '../../../../ui/shell/session/session.ts';
import type { PortfolioPresence } from './shared/dashboard-card.ts';
import type { WatchlistSummary } from './dashboard-features.ts';

const PRESENCE_KEY = 'tally.has';

/** Deletes the stored presence at sign-out, because it differs for the next member of this browser. */
export function clearPortfolioPresenceAtSignOut(): void {
  session.state.subscribe(() => {
    if (session.state.get().status === 'signed-out') writeStored(PRESENCE_KEY, null);
  });
}

/**
 * Returns which kinds of data the member has, which determines the height of cards. Stored values are used immediately,
 * others are awaited. The result is stable while the page is open, which prevents layout shifts before the rows load.
 */
export function usePortfolioPresence(
  shownIds: readonly CardId[] | undefined,
  watchlistSummary: WatchlistSummary,
): PortfolioPresence | undefined {
  const [storedNames] = useState(() => readStored(PRESENCE_KEY)?.split(' ') ?? []);
  const wasPresent = (name: keyof PortfolioPresence): boolean => storedNames.includes(name);
  const [presence, setPresence] = useState<PortfolioPresence>();
  const netWorthResult = useQuery({ ...netWorthQuery, enabled: shownIds?.includes('net_worth') ?? false });
  const accountList = useQuery({ ...accountsQuery, enabled: shownIds?.includes('accounts') ?? false });
  const holdingList = useQuery({ ...portfolioHoldingsQuery, enabled: shownIds?.includes('holdings') ?? false });
  // A list that cannot be read may have entries.
  const holdings = holdingList.data?.holdings.length !== 0;
  const current = {
    netWorth: netWorthResult.data?.currencies.length !== 0,
    holdings,
    heldOrWatched: holdings || watchlistSummary.count > 0,
  };
  const isReady =
    shownIds !== undefined &&
    // The card of accounts is as high as its rows, whose number a new browser does not know.
    (wasPresent('netWorth') || (!netWorthResult.isLoading && !accountList.isLoading)) &&
    (wasPresent('holdings') || !holdingList.isLoading) &&
    // For a member with holdings, the watchlist does not change the value.
    (wasPresent('heldOrWatched') || holdings || !watchlistSummary.isPending);
  if (!presence && isReady)
    setPresence({
      netWorth: wasPresent('netWorth') || current.netWorth,
      holdings: wasPresent('holdings') || current.holdings,
      heldOrWatched: wasPresent('heldOrWatched') || current.heldOrWatched,
    });
  const isFullyLoaded =
    netWorthResult.data !== undefined && holdingList.data !== undefined && !watchlistSummary.isPending;
  const presentNames = Object.keys(current).filter((name) => current[name as keyof PortfolioPresence]);
  const storedValue = isFullyLoaded ? presentNames.join(' ') : undefined;
  useEffect(() => {
    if (storedValue !== undefined) writeStored(PRESENCE_KEY, storedValue);
  }, [storedValue]);
  return presence;
}
