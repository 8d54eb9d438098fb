import { callApi, sendToApi } from '../../../ui/shell/api/api.ts';
import { ApiError } from '../../../ui/kit/api-error.ts';
import { type ApiResponse, refusedWith } from '../../../ui/shell/api/call-api.ts';
import type { FormProblem } from '../../../ui/kit/form-errors.tsx';
import type { Account, Holding } from '../contract.ts';
import type { ReadInvestment } from './read-investment.ts';

/** One filling-in of the form, over all of its tries. */
export interface Attempt {
  /** When, on the page's clock in ms, a try was sent that was never answered: it may have been done all the same. */
  unanswered: number | null;
}

/**
 * Makes the account where one is wanted, tells of it at once so that a second try makes no other, then the holding.
 * After a try whose answer was lost, what it may have made is looked for first: an investment must not be counted
 * twice.
 */
export async function saveInvestment(
  { account, symbol, quantity, costBasis }: ReadInvestment,
  attempt: Attempt,
  onAccount: (made: Account) => void,
): Promise<Holding> {
  const begun = performance.now();
  try {
    let id: string;
    if ('id' in account) id = account.id;
    else {
      const lost = await findLost(
        attempt,
        () => sendToApi('GET /api/accounts'),
        ({ accounts }) => accounts.filter((one) => one.name === account.name && one.currency === account.currency),
      );
      const made = lost ?? (await callApi('POST /api/accounts', { body: account })).account;
      onAccount(made);
      id = made.id;
    }
    const body = { account_id: id, symbol, quantity, cost_basis: costBasis };
    const isIt = (made: Holding): boolean =>
      made.account_id === id && made.symbol === symbol && made.quantity === quantity && made.cost_basis === costBasis;
    const lost = await findLost(
      attempt,
      () => sendToApi('GET /api/investments/holdings'),
      ({ holdings }) => holdings.filter(isIt),
    );
    return lost ?? (await callApi('POST /api/investments/holdings', { body })).holding;
  } catch (error) {
    if (error instanceof ApiError && error.status === 0) attempt.unanswered ??= begun;
    throw error;
  }
}

/**
 * What an unanswered try has made, of the things that look like it. Their age is told by the service's own clock: the
 * device's may be wrong.
 */
async function findLost<Answer, Thing extends { created_at: string }>(
  { unanswered }: Attempt,
  read: () => Promise<ApiResponse<Answer>>,
  alikeIn: (answer: Answer) => readonly Thing[],
): Promise<Thing | undefined> {
  if (unanswered === null) return undefined;
  const response = await read();
  const now = Date.parse(response.headers.get('date') ?? '');
  const oldest = now - (performance.now() - unanswered) - 2_000;
  return alikeIn(await response.json()).find((thing) => Date.parse(thing.created_at) >= oldest);
}

const fields: Readonly<Record<string, string>> = {
  symbol: 'security',
  quantity: 'quantity',
  cost_basis: 'cost',
  account_id: 'account',
  name: 'account_name',
  currency: 'account_currency',
  balance: 'account_balance',
};

/** Puts a refusal where it can be mended; what belongs to no field stands above the form. */
export function problemsOf(error: unknown): FormProblem[] {
  if (!(error instanceof ApiError))
    return [{ field: null, message: 'This did not work. What you typed is still here; try again.' }];
  const issues = refusedWith('POST /api/investments/holdings', 'INVALID_REQUEST', error)?.issues ?? [];
  if (issues.length > 0) return issues.map(({ path, message }) => ({ field: fields[path] ?? null, message }));
  if (error.code === 'UNKNOWN_SYMBOL' || error.code === 'UNSUPPORTED_ASSET')
    return [{ field: 'security', message: error.message }];
  if (error.code === 'NOT_FOUND')
    return [{ field: 'account', message: 'This account is no longer there. Choose another one.' }];
  const quote = error.status >= 500 && error.requestId ? ` (request ${error.requestId})` : '';
  return [{ field: null, message: `${error.message}${quote}` }];
}
