import { Big } from 'big.js';
import type { ConnectedAccount, ConnectedHolding } from '../../portfolio/accounts/contract.ts';
import type { Balance, BrokerageAccount } from './schemas.ts';

/** Account with its balances and holdings, each null if it cannot be read. */
export interface ReadAccount {
  account: BrokerageAccount;
  /** Whether the aggregator is still fetching data. */
  isPopulating: boolean;
  balances: readonly Balance[] | null;
  holdings: readonly ConnectedHolding[] | null;
}

/** Returns one account for each currency of the account's cash. */
export function toAccounts({ account, balances }: ReadAccount): ConnectedAccount[] {
  const { id: externalId, balance } = account;
  const cash = new Map<string, string | null>();
  for (const { currency, cash: reportedCash } of balances ?? []) {
    const previousCash = cash.get(currency.code);
    cash.set(
      currency.code,
      previousCash == null || reportedCash == null
        ? (reportedCash ?? previousCash ?? null)
        : Big(previousCash).plus(reportedCash).toFixed(),
    );
  }
  if (cash.size === 0)
    cash.set(balance?.total?.currency ?? 'USD', isInvestmentAccount(account) ? null : (balance?.total?.amount ?? null));
  return [...cash].map(([currency, amount]) => ({
    externalId,
    ...getAccountLabels(account),
    currency,
    balance: amount,
  }));
}

export const getAccountLabels = ({ name, number, raw_type: type, account_category: category }: BrokerageAccount) => ({
  name: name?.slice(0, 120) || 'Account',
  mask: number ? number.slice(-4) : null,
  type: type?.slice(0, 60) || category?.toLowerCase() || null,
});

/** An account of unknown category counts as an investment account, as the aggregator advises. */
const isInvestmentAccount = ({ account_category: category }: BrokerageAccount): boolean =>
  category !== 'DEPOSIT' && category !== 'LOC';

/** Returns whether an account was read incompletely, such as one with a value but without holdings and cash. */
export function isPartial({ account, balances, holdings }: ReadAccount): boolean {
  if (balances === null || holdings === null) return true;
  const isEmpty = holdings.length === 0 && balances.every(({ cash }) => !Number(cash ?? 0));
  return isEmpty && isInvestmentAccount(account) && Number(account.balance?.total?.amount ?? 0) !== 0;
}

/** Returns one holding for the whole account of a brokerage that never shows holdings. */
export function toSingleHolding({ account, balances }: ReadAccount): ConnectedHolding[] {
  const { amount, currency } = account.balance?.total ?? {};
  if (amount == null || currency == null) return [];
  const cash = (balances ?? []).find(({ currency: { code } }) => code === currency)?.cash ?? '0';
  const value = Big(amount).minus(cash).toFixed();
  const name = `${getAccountLabels(account).name}: investments`;
  const holding = { accountId: account.id, externalId: 'whole', symbol: null, name, quantity: '1', costBasis: null };
  return [{ ...holding, currency, value, asOf: new Date() }];
}

export const hasNoHoldingsApi = ({ sync_status: status }: BrokerageAccount): boolean =>
  status?.holdings?.holdings_unavailable === true;
