import type { AccountBase, AccountsGetResponse, InvestmentsHoldingsGetResponse } from 'plaid';
import type { FailedCall, Portfolio, PortfolioRead } from '../aggregator.ts';
import type { ConnectedAccount } from '../../portfolio/accounts/contract.ts';
import { computeCash, readHoldings } from './read-holdings.ts';
import type { PlaidClient } from './plaid-client.ts';

/** Codes that require a new sign-in. */
const LOGIN_REQUIRED_CODES: ReadonlySet<string> = new Set([
  'ITEM_LOGIN_REQUIRED',
  'INVALID_CREDENTIALS',
  'INVALID_MFA',
  'ITEM_LOCKED',
  'USER_SETUP_REQUIRED',
  'INSUFFICIENT_CREDENTIALS',
  'INVALID_UPDATED_USERNAME',
  'MFA_NOT_SUPPORTED',
  'PASSWORD_RESET_REQUIRED',
  'USER_INPUT_TIMEOUT',
  'PENDING_EXPIRATION',
  'PENDING_DISCONNECT',
]);
/** Codes of access that the person or the institution revoked. */
const REVOKED_CODES: ReadonlySet<string> = new Set([
  'ITEM_NOT_FOUND',
  'INVALID_ACCESS_TOKEN',
  'ACCESS_NOT_GRANTED',
  'USER_PERMISSION_REVOKED',
  'USER_ACCOUNT_REVOKED',
  'ITEM_NOT_SUPPORTED',
  'INSTITUTION_NO_LONGER_SUPPORTED',
]);
/** Codes of connections that never have holdings. */
const NO_HOLDINGS_CODES: ReadonlySet<string> = new Set([
  'PRODUCTS_NOT_SUPPORTED',
  'NO_INVESTMENT_ACCOUNTS',
  'PRODUCT_NOT_ENABLED',
  'ADDITIONAL_CONSENT_REQUIRED',
  'INVALID_PRODUCT',
  'NO_ACCOUNTS',
]);

/** A consent that ends within this number of days is reported. */
const CONSENT_WARNING_DAYS = 14;

export const isAccessRevoked = ({ reason, code }: FailedCall): boolean =>
  reason === 'rejected' && REVOKED_CODES.has(code);

/** Returns the connection status that a code implies, or `undefined` if it implies none. */
function toConnectionStatus(code: string): 'login_required' | 'revoked' | undefined {
  if (LOGIN_REQUIRED_CODES.has(code)) return 'login_required';
  return REVOKED_CODES.has(code) ? 'revoked' : undefined;
}

/** Reads accounts and the holdings of investment accounts. */
export async function readPortfolio(plaid: PlaidClient, accessToken: string): Promise<PortfolioRead> {
  const accounts = await plaid.call('accountsGet', { access_token: accessToken });
  if (!accounts.ok) return toFailedRead(accounts);
  const itemErrorCode = accounts.data.item.error?.error_code ?? '';
  const status = toConnectionStatus(itemErrorCode);
  if (status) return { ok: false, reason: status, code: itemErrorCode };
  const investmentAccounts = accounts.data.accounts.filter(isInvestment);
  if (investmentAccounts.length === 0)
    return { ok: true, portfolio: toPortfolio(accounts.data, { kind: 'holdings', rows: NO_ROWS }) };
  const holdings = await plaid.call('investmentsHoldingsGet', { access_token: accessToken });
  if (holdings.ok)
    return { ok: true, portfolio: toPortfolio(accounts.data, { kind: 'holdings', rows: holdings.data }) };
  if (holdings.reason === 'rejected' && toConnectionStatus(holdings.code)) return toFailedRead(holdings);
  const isUnsupported = holdings.reason === 'rejected' && NO_HOLDINGS_CODES.has(holdings.code);
  return {
    ok: true,
    portfolio: toPortfolio(accounts.data, { kind: isUnsupported ? 'unsupported' : 'unavailable' }),
  };
}

const toFailedRead = ({ reason, code }: FailedCall): PortfolioRead => ({
  ok: false,
  reason: (reason === 'rejected' && toConnectionStatus(code)) || 'unavailable',
  code,
});

const isInvestment = ({ type }: AccountBase): boolean =>
  (type as string) === 'investment' || (type as string) === 'brokerage';

type HoldingsRows = Pick<InvestmentsHoldingsGetResponse, 'holdings' | 'securities'>;

/** Holdings of a connection. `unsupported`: it never has any. `unavailable`: they could not be read this time. */
type HoldingsReading = { kind: 'holdings'; rows: HoldingsRows } | { kind: 'unsupported' | 'unavailable' };

const NO_ROWS: HoldingsRows = { holdings: [], securities: [] };

/** Maps a reading to a portfolio. */
function toPortfolio(response: AccountsGetResponse, reading: HoldingsReading): Portfolio {
  const consentEndsAt = response.item.consent_expiration_time;
  const isExpiring = consentEndsAt ? Date.parse(consentEndsAt) < Date.now() + CONSENT_WARNING_DAYS * 86_400_000 : false;
  if (reading.kind === 'unsupported') {
    const accounts = response.accounts.flatMap((account) => toAccounts(account, NO_ROWS));
    return { accounts, holdings: response.accounts.filter(isInvestment).flatMap(toSingleHolding), isExpiring };
  }
  const rows = reading.kind === 'holdings' ? reading.rows : undefined;
  // An account with a value but without holdings and cash was not read completely.
  const isPartial = (account: AccountBase): boolean => isInvestment(account) && hasMissingRows(account, rows);
  const accounts = response.accounts.flatMap((account) => toAccounts(account, isPartial(account) ? undefined : rows));
  const holdings = rows && !response.accounts.some(isPartial) ? readHoldings(response.accounts, rows) : null;
  return { accounts, holdings, isExpiring };
}

const hasMissingRows = ({ account_id: id, balances }: AccountBase, rows: HoldingsRows | undefined): boolean =>
  !rows?.holdings.some((row) => row.account_id === id) && !!balances.current && balances.available !== balances.current;

/**
 * Returns one account for each currency of the account's cash. Currencies without a code of three letters, such as
 * points or coins, are omitted.
 */
function toAccounts(account: AccountBase, rows: HoldingsRows | undefined): ConnectedAccount[] {
  const { account_id: externalId, name, mask, type, subtype, balances } = account;
  const currency = balances.iso_currency_code;
  if (!currency) return [];
  const amounts = isInvestment(account)
    ? computeCash(account, currency, rows)
    : [[currency, getSignedBalance(account)] as const];
  return [...amounts].map(([amountCurrency, amount]) => ({
    externalId,
    name: name.slice(0, 120) || 'Account',
    mask: mask ? mask.slice(-16) : null,
    type: (subtype ?? (type as string)).slice(0, 60),
    currency: amountCurrency,
    balance: amount === null ? null : String(amount),
  }));
}

/** Debt on a card or a loan is reported as a positive amount. */
function getSignedBalance({ type, balances: { current, available } }: AccountBase): number | null {
  const amount = current ?? available;
  const isOwed = (type as string) === 'credit' || (type as string) === 'loan';
  return amount !== null && isOwed ? 0 - amount : amount;
}

/** Returns one holding for the whole account of a connection without holdings. */
function toSingleHolding({ account_id: accountId, name, balances }: AccountBase) {
  const { current, available, iso_currency_code: currency } = balances;
  if (!currency || current === null) return [];
  const value = String(current - (available ?? 0));
  const line = { accountId, externalId: 'whole', symbol: null, name: `${name.slice(0, 280)}: investments` };
  return [{ ...line, quantity: '1', costBasis: null, currency, value, asOf: new Date() }];
}
