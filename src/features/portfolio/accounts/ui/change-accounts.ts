import type { QueryClient } from '@tanstack/react-query';
import { showToast } from '../../../../ui/kit/toasts.ts';
import { type Accounts, accountsQuery } from '../../holdings/ui/accounts-query.ts';
import { callApi } from '../../../../ui/shell/api/api.ts';
import { ignoreNotFound } from '../../holdings/ui/change-holdings.ts';
import type { AccountChanges } from '../../holdings/ui/parse-changes.ts';
import type { Account } from '../contract.ts';

function changeAccounts(queries: QueryClient, change: (cached: Accounts['accounts']) => Accounts['accounts']): void {
  queries.setQueryData(accountsQuery.queryKey, (cached) => cached && { ...cached, accounts: change(cached.accounts) });
  void queries.invalidateQueries();
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
