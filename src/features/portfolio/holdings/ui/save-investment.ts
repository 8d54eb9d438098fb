import { callApi, sendToApi } from '../../../../ui/shell/api/api.ts';
import { ApiError } from '../../../../ui/kit/api-error.ts';
import { type ApiResponse, getApiErrorBody } from '../../../../ui/shell/api/call-api.ts';
import type { FormProblem } from '../../../../ui/kit/form-errors.tsx';
import type { Accounts } from './accounts-query.ts';
import type { Holding } from '../contract.ts';
import type { ParsedInvestment } from './parse-investment.ts';

/** One submission of the form over all retries. */
export interface Attempt {
  /** Monotonic time in ms of a request without a response, which may have succeeded. */
  unansweredSince: number | null;
}

/**
 * Creates the account if needed and reports it, so that a retry creates no other one. Then creates the holding. After a
 * lost response the result of the earlier request is searched first, because an investment must not be counted twice.
 */
export async function saveInvestment(
  { account, symbol, quantity, costBasis }: ParsedInvestment,
  attempt: Attempt,
  onAccount: (account: Accounts['accounts'][number]) => void,
): Promise<Holding> {
  const startedAt = performance.now();
  try {
    let id: string;
    if ('id' in account) id = account.id;
    else {
      const existing = await findUnconfirmed(
        attempt,
        () => sendToApi('GET /api/accounts'),
        ({ accounts }) =>
          accounts.filter((candidate) => candidate.name === account.name && candidate.currency === account.currency),
      );
      const createdAccount = existing ?? (await callApi('POST /api/accounts', { body: account })).account;
      onAccount(createdAccount);
      id = createdAccount.id;
    }
    const body = { account_id: id, symbol, quantity, cost_basis: costBasis };
    const isSameHolding = (candidate: Holding): boolean =>
      candidate.account_id === id &&
      candidate.symbol === symbol &&
      candidate.quantity === quantity &&
      candidate.cost_basis === costBasis;
    const existing = await findUnconfirmed(
      attempt,
      () => sendToApi('GET /api/investments/holdings'),
      ({ holdings }) => holdings.filter(isSameHolding),
    );
    return existing ?? (await callApi('POST /api/investments/holdings', { body })).holding;
  } catch (error) {
    if (error instanceof ApiError && error.status === 0) attempt.unansweredSince ??= startedAt;
    throw error;
  }
}

/**
 * Finds the object that an unanswered request created, among similar ones. Ages use the service's clock, because the
 * device's clock may be wrong.
 */
async function findUnconfirmed<Answer, Thing extends { created_at: string }>(
  { unansweredSince }: Attempt,
  send: () => Promise<ApiResponse<Answer>>,
  findMatches: (body: Answer) => readonly Thing[],
): Promise<Thing | undefined> {
  if (unansweredSince === null) return undefined;
  const response = await send();
  const serverNow = Date.parse(response.headers.get('date') ?? '');
  const earliest = serverNow - (performance.now() - unansweredSince) - 2_000;
  return findMatches(await response.json()).find((item) => Date.parse(item.created_at) >= earliest);
}

const fieldByProperty: Readonly<Record<string, string>> = {
  symbol: 'security',
  quantity: 'quantity',
  cost_basis: 'cost',
  account_id: 'account',
  name: 'account_name',
  currency: 'account_currency',
  balance: 'account_balance',
};

/** Assigns a rejection to its field. Other problems are shown above the form. */
export function toInvestmentProblems(error: unknown): FormProblem[] {
  if (!(error instanceof ApiError))
    return [{ field: null, message: 'Something went wrong. Your input is kept; try again.' }];
  const issues = getApiErrorBody('POST /api/investments/holdings', 'INVALID_REQUEST', error)?.issues ?? [];
  if (issues.length > 0) return issues.map(({ path, message }) => ({ field: fieldByProperty[path] ?? null, message }));
  if (error.code === 'UNKNOWN_SYMBOL' || error.code === 'UNSUPPORTED_ASSET')
    return [{ field: 'security', message: error.message }];
  if (error.code === 'NOT_FOUND')
    return [{ field: 'account', message: 'This account no longer exists. Choose another one.' }];
  const requestIdNote = error.status >= 500 && error.requestId ? ` (request ${error.requestId})` : '';
  return [{ field: null, message: `${error.message}${requestIdNote}` }];
}
