import type { QueryClient } from '@tanstack/react-query';
import { callApi } from '../../../ui/shell/api/api.ts';
import { ApiError } from '../../../ui/kit/api-error.ts';
import { showToast } from '../../../ui/kit/toasts.ts';
import type { Account, Holding } from '../contract.ts';
import { accountsQuery, holdingsQuery } from './card-queries.ts';
import type { AccountChanges, HoldingChanges } from './parse-changes.ts';

// The open dialog shows the saved data immediately. All cards, including the watchlist's, refetch in the background.

function changeHoldings(queries: QueryClient, change: (cached: Holding[]) => Holding[]): void {
  queries.setQueryData(holdingsQuery.queryKey, (cached) => cached && { ...cached, holdings: change(cached.holdings) });
  void queries.invalidateQueries();
}

function changeAccounts(queries: QueryClient, change: (cached: Account[]) => Account[]): void {
  queries.setQueryData(accountsQuery.queryKey, (cached) => cached && { ...cached, accounts: change(cached.accounts) });
  void queries.invalidateQueries();
}

/** A holding or account that another tab has removed counts as removed. */
function ignoreNotFound(error: unknown): void {
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

export async function saveAccount(queries: QueryClient, id: string, changes: AccountChanges): Promise<void> {
  const { account } = await callApi('PATCH /api/accounts/{id}', { params: { id }, body: changes });
  changeAccounts(queries, (cached) => cached.map((cachedEntry) => (cachedEntry.id === id ? account : cachedEntry)));
  showToast(`${account.name} saved.`, 'good');
}

export async function addAccount(queries: QueryClient, body: AccountChanges & { currency: string }): Promise<void> {
  const { account } = await callApi('POST /api/accounts', { body });
  changeAccounts(queries, (cached) => [...cached, account]);
  showToast(`${account.name} added.`, 'good');
}

/** Deletes an account with its holdings. The deletion cannot be undone, so the caller must confirm it. */
export async function deleteAccount(queries: QueryClient, { id, name }: Account): Promise<void> {
  await callApi('DELETE /api/accounts/{id}', { params: { id } }).catch(ignoreNotFound);
  changeAccounts(queries, (cached) => cached.filter((cachedEntry) => cachedEntry.id !== id));
  showToast(`${name} deleted.`, 'good');
}
