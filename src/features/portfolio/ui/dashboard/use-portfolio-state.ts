import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { CardId } from '../../dashboard/contract.ts';
import { netWorth, positions } from '../card-queries.ts';
import { readStored, writeStored } from '../../../../ui/kit/browser-storage.ts';
import { session } from '../../../../ui/shell/session/session.ts';
import type { PortfolioState } from '../../../../ui/shell/dashboard/dashboard-card.ts';
import type { Watched } from './dashboard-features.ts';

const KEY = 'tally.has';

/** Forgets at sign-out what the member had: the next member of this browser has other things. */
export function clearPortfolioStateAtSignOut(): void {
  session.state.subscribe(() => {
    if (session.state.get().status === 'signed-out') writeStored(KEY, null);
  });
}

/**
 * What the member has, as far as the height of cards hangs on it. What was seen here before is there at once, the rest
 * is waited for. It stays the same as long as the page does, so that no card changes its height before it has rows.
 */
export function usePortfolioState(shown: readonly CardId[] | undefined, watched: Watched): PortfolioState | undefined {
  const [seen] = useState(() => readStored(KEY)?.split(' ') ?? []);
  const had = (name: keyof PortfolioState): boolean => seen.includes(name);
  const [first, setFirst] = useState<PortfolioState>();
  const worth = useQuery({ ...netWorth, enabled: shown?.includes('net_worth') ?? false });
  const owned = useQuery({ ...positions, enabled: shown?.includes('holdings') ?? false });
  // What could not be read may be there.
  const holdings = owned.data?.positions.length !== 0;
  const now = {
    worth: worth.data?.currencies.length !== 0,
    holdings,
    follows: holdings || watched.count > 0,
  };
  const isKnown =
    shown !== undefined &&
    (had('worth') || !worth.isLoading) &&
    (had('holdings') || !owned.isLoading) &&
    // Who holds something has figures to look at, watched or not: nothing waits for the list.
    (had('follows') || holdings || !watched.isPending);
  if (!first && isKnown)
    setFirst({
      worth: had('worth') || now.worth,
      holdings: had('holdings') || now.holdings,
      follows: had('follows') || now.follows,
    });
  const isAllRead = worth.data !== undefined && owned.data !== undefined && !watched.isPending;
  const words = Object.keys(now).filter((name) => now[name as keyof PortfolioState]);
  const said = isAllRead ? words.join(' ') : undefined;
  useEffect(() => {
    if (said !== undefined) writeStored(KEY, said);
  }, [said]);
  return first;
}
