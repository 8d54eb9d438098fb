import { callApi } from '../../web/lib/api.ts';
import { ApiError } from '../../web/lib/call-api.ts';
import type { FormProblem } from '../../web/ui/form-errors.tsx';
import type { Account, Holding } from '../contract.ts';
import type { ReadInvestment } from './read-investment.ts';

/** Makes the account where one is wanted, tells of it at once so that a second try makes no other, then the holding. */
export async function saveInvestment({ account, symbol, quantity, costBasis }: ReadInvestment, onAccount: (made: Account) => void): Promise<Holding> {
  let id: string;
  if ('id' in account) id = account.id;
  else {
    const answer = await callApi<{ account: Account }>({ method: 'POST', path: '/api/accounts', body: account });
    onAccount(answer.account);
    id = answer.account.id;
  }
  const body = { account_id: id, symbol, quantity, cost_basis: costBasis };
  return (await callApi<{ holding: Holding }>({ method: 'POST', path: '/api/investments/holdings', body })).holding;
}

const fields: Readonly<Record<string, string>> = { symbol: 'security', quantity: 'quantity', cost_basis: 'cost', account_id: 'account', name: 'account_name', currency: 'account_currency', balance: 'account_balance' };

/** Puts a refusal where it can be mended; what belongs to no field stands above the form. */
export function problemsOf(error: unknown): FormProblem[] {
  if (!(error instanceof ApiError)) return [{ field: null, message: 'This did not work. What you typed is still here; try again.' }];
  const issues = error.body['issues'];
  if (error.code === 'INVALID_REQUEST' && Array.isArray(issues) && issues.length > 0) {
    return (issues as { path: string; message: string }[]).map(({ path, message }) => ({ field: fields[path] ?? null, message }));
  }
  if (error.code === 'UNKNOWN_SYMBOL' || error.code === 'UNSUPPORTED_ASSET') return [{ field: 'security', message: error.message }];
  if (error.code === 'NOT_FOUND') return [{ field: 'account', message: 'This account is no longer there. Choose another one.' }];
  const quote = error.status >= 500 && error.requestId ? ` (request ${error.requestId})` : '';
  return [{ field: null, message: `${error.message}${quote}` }];
}
