import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { CardId } from '../../dashboard/contract.ts';
import { netWorthQuery, positionsQuery } from '../card-queries.ts';
import { readStored, writeStored } from '../../../../ui/kit/browser-storage.ts';
import { session } from '../../../../ui/shell/session/session.ts';
import type { PortfolioPresence } from '../../../../ui/shell/dashboard/dashboard-card.ts';
import type { WatchlistSummary } from './dashboard-features.ts';

const PRESENCE_KEY = 'tally.has';

/** Deletes the stored presence at sign-out, because it differs for the next member of this browser. */
export function clearPortfolioPresenceAtSignOut(): void {
  session.state.subscribe(() => {
    if (session.state.get().status === 'signed-out') writeStored(PRESENCE_KEY, null);
  });
}

/**
 * Returns which kinds of data the member has, as far as this determines the height of cards. Cached values are used at
 * once, missing ones are awaited. The result is stable while the page is open, so that no card changes its height
 * before it has rows.
 */
export function usePortfolioPresence(
  shownIds: readonly CardId[] | undefined,
  watchlistSummary: WatchlistSummary,
): PortfolioPresence | undefined {
  const [storedNames] = useState(() => readStored(PRESENCE_KEY)?.split(' ') ?? []);
  const wasPresent = (name: keyof PortfolioPresence): boolean => storedNames.includes(name);
  const [presence, setPresence] = useState<PortfolioPresence>();
  const netWorth = useQuery({ ...netWorthQuery, enabled: shownIds?.includes('net_worth') ?? false });
  const positionList = useQuery({ ...positionsQuery, enabled: shownIds?.includes('holdings') ?? false });
  // An unreadable list may have entries.
  const holdings = positionList.data?.positions.length !== 0;
  const current = {
    worth: netWorth.data?.currencies.length !== 0,
    holdings,
    follows: holdings || watchlistSummary.count > 0,
  };
  const isReady =
    shownIds !== undefined &&
    (wasPresent('worth') || !netWorth.isLoading) &&
    (wasPresent('holdings') || !positionList.isLoading) &&
    // A member with holdings has figures to show without the watchlist.
    (wasPresent('follows') || holdings || !watchlistSummary.isPending);
  if (!presence && isReady)
    setPresence({
      worth: wasPresent('worth') || current.worth,
      holdings: wasPresent('holdings') || current.holdings,
      follows: wasPresent('follows') || current.follows,
    });
  const isFullyLoaded = netWorth.data !== undefined && positionList.data !== undefined && !watchlistSummary.isPending;
  const presentNames = Object.keys(current).filter((name) => current[name as keyof PortfolioPresence]);
  const storedValue = isFullyLoaded ? presentNames.join(' ') : undefined;
  useEffect(() => {
    if (storedValue !== undefined) writeStored(PRESENCE_KEY, storedValue);
  }, [storedValue]);
  return presence;
}
