import type { AccountBase, AccountsGetResponse, InvestmentsHoldingsGetResponse } from 'plaid';
import type { FailedCall, Portfolio, PortfolioRead, ProviderAccount } from '../aggregator.ts';
import { cashOf, readHoldings } from './read-holdings.ts';
import type { PlaidClient } from './plaid-client.ts';

/** Nothing comes until the person signs in again. */
const SIGN_IN: ReadonlySet<string> = new Set([
  ...['ITEM_LOGIN_REQUIRED', 'INVALID_CREDENTIALS', 'INVALID_MFA', 'ITEM_LOCKED', 'USER_SETUP_REQUIRED'],
  ...['INSUFFICIENT_CREDENTIALS', 'INVALID_UPDATED_USERNAME', 'MFA_NOT_SUPPORTED', 'PASSWORD_RESET_REQUIRED'],
  ...['USER_INPUT_TIMEOUT', 'PENDING_EXPIRATION', 'PENDING_DISCONNECT'],
]);
/** The access is no more: the person or the institution has withdrawn it. */
const GONE: ReadonlySet<string> = new Set([
  ...['ITEM_NOT_FOUND', 'INVALID_ACCESS_TOKEN', 'ACCESS_NOT_GRANTED', 'USER_PERMISSION_REVOKED'],
  ...['USER_ACCOUNT_REVOKED', 'ITEM_NOT_SUPPORTED', 'INSTITUTION_NO_LONGER_SUPPORTED'],
]);
/** The connection brings no holdings, now and later. */
const NO_HOLDINGS: ReadonlySet<string> = new Set([
  ...['PRODUCTS_NOT_SUPPORTED', 'NO_INVESTMENT_ACCOUNTS', 'PRODUCT_NOT_ENABLED', 'ADDITIONAL_CONSENT_REQUIRED'],
  ...['INVALID_PRODUCT', 'NO_ACCOUNTS'],
]);

/** A consent that ends within so many days is told of. */
const CONSENT_DAYS = 14;

export const isGone = ({ reason, code }: FailedCall): boolean => reason === 'refused' && GONE.has(code);

/** What a code says of the connection; `undefined` where it says nothing of it. */
function endedBy(code: string): 'login_required' | 'revoked' | undefined {
  if (SIGN_IN.has(code)) return 'login_required';
  return GONE.has(code) ? 'revoked' : undefined;
}

/** Reads accounts and, where there is one for investments, their holdings. */
export async function readPortfolio(plaid: PlaidClient, access: string): Promise<PortfolioRead> {
  const accounts = await plaid.call('accountsGet', { access_token: access });
  if (!accounts.ok) return failed(accounts);
  const told = accounts.data.item.error?.error_code ?? '';
  const ended = endedBy(told);
  if (ended) return { ok: false, reason: ended, code: told };
  const invested = accounts.data.accounts.filter(isInvestment);
  if (invested.length === 0)
    return { ok: true, portfolio: portfolioOf(accounts.data, { holdings: [], securities: [] }) };
  const holdings = await plaid.call('investmentsHoldingsGet', { access_token: access });
  if (holdings.ok) return { ok: true, portfolio: portfolioOf(accounts.data, holdings.data) };
  if (holdings.reason === 'refused' && endedBy(holdings.code)) return failed(holdings);
  const isWhole = holdings.reason === 'refused' && NO_HOLDINGS.has(holdings.code);
  return { ok: true, portfolio: portfolioOf(accounts.data, isWhole ? 'none offered' : undefined) };
}

const failed = ({ reason, code }: FailedCall): PortfolioRead => ({
  ok: false,
  reason: (reason === 'refused' && endedBy(code)) || 'unavailable',
  code,
});

const isInvestment = ({ type }: AccountBase): boolean =>
  (type as string) === 'investment' || (type as string) === 'brokerage';

type Holdings = Pick<InvestmentsHoldingsGetResponse, 'holdings' | 'securities'>;

/** `told` is undefined where holdings could not be read now. */
function portfolioOf(answer: AccountsGetResponse, told: Holdings | 'none offered' | undefined): Portfolio {
  const ends = answer.item.consent_expiration_time;
  const isExpiring = ends ? Date.parse(ends) < Date.now() + CONSENT_DAYS * 86_400_000 : false;
  if (told === 'none offered') {
    const accounts = answer.accounts.flatMap((account) => presentAccount(account, { holdings: [], securities: [] }));
    return { accounts, holdings: answer.accounts.filter(isInvestment).flatMap(wholeOf), isExpiring };
  }
  // An account that is worth something and shows neither holdings nor its cash was not read completely.
  const isPartial = (account: AccountBase): boolean => isInvestment(account) && lacksRows(account, told);
  const accounts = answer.accounts.flatMap((account) => presentAccount(account, isPartial(account) ? undefined : told));
  const holdings = told && !answer.accounts.some(isPartial) ? readHoldings(answer.accounts, told) : null;
  return { accounts, holdings, isExpiring };
}

const lacksRows = ({ account_id: id, balances }: AccountBase, rows: Holdings | undefined): boolean =>
  !rows?.holdings.some((row) => row.account_id === id) && !!balances.current && balances.available !== balances.current;

/**
 * One account for each currency of its cash. Those in a currency without a code of three letters, such as points or
 * coins, are left out.
 */
function presentAccount(account: AccountBase, rows: Holdings | undefined): ProviderAccount[] {
  const { account_id: externalId, name, mask, type, subtype, balances } = account;
  const currency = balances.iso_currency_code;
  if (!currency) return [];
  const amounts = isInvestment(account) ? cashOf(account, currency, rows) : [[currency, owned(account)] as const];
  return [...amounts].map(([itsCurrency, amount]) => ({
    externalId,
    name: name.slice(0, 120) || 'Account',
    mask: mask ? mask.slice(-16) : null,
    type: (subtype ?? (type as string)).slice(0, 60),
    currency: itsCurrency,
    balance: amount === null ? null : String(amount),
  }));
}

/** What is owed on a card or a loan comes as a positive amount. */
function owned({ type, balances: { current, available } }: AccountBase): number | null {
  const amount = current ?? available;
  const isOwed = (type as string) === 'credit' || (type as string) === 'loan';
  return amount !== null && isOwed ? 0 - amount : amount;
}

/** One line for all that an account holds, where the connection brings no holdings. */
function wholeOf({ account_id: accountId, name, balances }: AccountBase) {
  const { current, available, iso_currency_code: currency } = balances;
  if (!currency || current === null) return [];
  const value = String(current - (available ?? 0));
  const line = { accountId, externalId: 'whole', symbol: null, name: `${name.slice(0, 280)}: investments` };
  return [{ ...line, quantity: '1', costBasis: null, currency, value, asOf: new Date() }];
}
