import type { QueryClient } from '@tanstack/react-query';
import { callApi } from '../../../../ui/shell/api/api.ts';
import { ApiError } from '../../../../ui/kit/api-error.ts';
import { showToast } from '../../../../ui/kit/toasts.ts';
import type { Holding } from '../contract.ts';
import { holdingsQuery } from './holdings-queries.ts';
import type { HoldingChanges } from './parse-changes.ts';

// The open dialog shows the saved data immediately. All cards, including the watchlist's, refetch in the background.

function changeHoldings(queries: QueryClient, change: (cached: Holding[]) => Holding[]): void {
  queries.setQueryData(holdingsQuery.queryKey, (cached) => cached && { ...cached, holdings: change(cached.holdings) });
  void queries.invalidateQueries();
}

/** A holding or account that another tab has removed counts as removed. */
export function ignoreNotFound(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}

export async function saveHolding(queries: QueryClient, id: string, changes: HoldingChanges): Promise<void> {
  const { holding } = await callApi('PATCH /api/investments/holdings/{id}', { params: { id }, body: changes });
  changeHoldings(queries, (cached) => cached.map((cachedEntry) => (cachedEntry.id === id ? holding : cachedEntry)));
  showToast(`${holding.symbol} in ${holding.account_name} saved.`, 'good');
}

/** Removes a holding and offers an undo into the former account. */
export async function removeHolding(queries: QueryClient, holding: Holding): Promise<void> {
  const { id, symbol, account_id, account_name: account, quantity, cost_basis } = holding;
  await callApi('DELETE /api/investments/holdings/{id}', { params: { id } }).catch(ignoreNotFound);
  changeHoldings(queries, (cached) => cached.filter((cachedEntry) => cachedEntry.id !== id));
  const restore = async (): Promise<void> => {
    try {
      const body = { account_id, symbol, quantity, cost_basis };
      const created = await callApi('POST /api/investments/holdings', { body });
      changeHoldings(queries, (cached) => [...cached, created.holding]);
    } catch (error) {
      showToast(`Could not restore ${symbol}. ${error instanceof ApiError ? error.message : ''}`.trim(), 'bad');
    }
  };
  showToast(`${symbol} removed from ${account}.`, 'plain', {
    label: 'Undo',
    run: () => {
      void restore();
    },
  });
}
