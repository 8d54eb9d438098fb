import type { Explanation } from '../net-worth/contract.ts';
import { addAmounts, sumAmounts } from '../net-worth/amounts.ts';
import {
  type Conversion,
  convertNetWorth,
  convertToBase,
  describeRate,
  listRates,
} from '../net-worth/convert-net-worth.ts';
import { createTerm, formatCashLabel } from '../net-worth/explanation-terms.ts';
import { type BaseConversion, listOtherCurrencies } from '../net-worth/read-conversion.ts';
import type { CurrentNetWorthRow } from '../net-worth/rows.ts';
import { toAccountTotals } from '../holdings/holding-responses.ts';
import { toPortfolioHolding } from '../holdings/list-portfolio-holdings.ts';
import type { AnyHoldingRow } from '../holdings/queries.ts';
import { type Account, ACCOUNT_LIMIT, type AccountBase, type AccountList } from './contract.ts';
import type { AccountRow } from './queries.ts';

interface ListedRows {
  accounts: readonly AccountRow[];
  holdings: readonly AnyHoldingRow[];
  net_worth: readonly CurrentNetWorthRow[];
}

/**
 * Returns the accounts as the API does, with the totals of their holdings and their value in the base currency.
 * `isExplained` adds how each figure came about.
 */
export function toAccountList(
  { accounts, holdings, net_worth: netWorth }: ListedRows,
  conversion: BaseConversion,
  isExplained = false,
): AccountList {
  const holdingsByAccount = Map.groupBy(holdings, ({ account_id: id }) => id);
  return {
    currency: conversion.currency,
    accounts: accounts.map((row) => {
      const held = holdingsByAccount.get(row.id) ?? [];
      return {
        ...toAccountResponse(row),
        totals: toAccountTotals(held, isExplained),
        base: toBaseValue(row, held, conversion),
        ...(isExplained && { explain: explainBalance(row), explain_base: explainBaseValue(row, held, conversion) }),
      };
    }),
    total: convertNetWorth(netWorth, conversion).total,
    limit: ACCOUNT_LIMIT,
    rates: listRates(listOtherCurrencies([...accounts, ...holdings], conversion.currency), conversion),
  };
}

/** Returns cash plus holdings of an account in the base currency, and the amounts whose currency has no rate. */
function toBaseValue(account: AccountRow, holdings: readonly AnyHoldingRow[], conversion: Conversion): AccountBase {
  const amounts = [{ currency: account.currency, value: account.balance }, ...holdings].filter(hasAmount);
  const converted = amounts.map(({ currency, value }) => convertToBase(value, currency, conversion));
  const known = converted.filter((value) => value !== null);
  const unconverted = amounts.filter((_, index) => converted[index] === null);
  return {
    value: known.length === 0 && amounts.length > 0 ? null : Number(addAmounts(known)),
    excluded: [...Map.groupBy(unconverted, ({ currency }) => currency)].map(([currency, group]) => ({
      currency,
      amount: sumAmounts(group.map(({ value }) => value))!,
      reason: 'no_rate' as const,
    })),
  };
}

const hasAmount = (row: {
  currency: string | null;
  value: string | null;
}): row is { currency: string; value: string } =>
  row.currency !== null && row.value !== null && Number(row.value) !== 0;

/** Explains the value in the base currency by the cash and each holding. */
function explainBaseValue(
  account: AccountRow,
  holdings: readonly AnyHoldingRow[],
  conversion: Conversion,
): Explanation {
  const parts = holdings.map((row) => toPortfolioHolding(row, conversion, true).explain!);
  const cash = Number(account.balance) !== 0 || holdings.length === 0 ? [explainBaseCash(account, conversion)] : [];
  return {
    terms: [...cash, ...parts].flatMap(({ terms }) => terms),
    excluded: [...cash, ...parts].flatMap(({ excluded }) => excluded),
  };
}

function explainBaseCash(account: AccountRow, conversion: Conversion): Explanation {
  const { terms } = explainBalance(account);
  const amount = convertToBase(account.balance, account.currency, conversion);
  const [{ label, amount: balance }] = terms as [Explanation['terms'][number]];
  if (amount === null)
    return { terms: [], excluded: [{ what: label, amount: balance, currency: account.currency, reason: 'no_rate' }] };
  const converted = { amount: Number(amount), currency: conversion.currency, price_currency: account.currency };
  return {
    terms: terms.map((term) => ({ ...term, ...converted, ...describeRate(account.currency, conversion) })),
    excluded: [],
  };
}

/** Explains the cash of an account. */
const explainBalance = ({ name, kind, currency, balance, updated_at: updatedAt }: AccountRow): Explanation => ({
  terms: [
    createTerm({
      label: formatCashLabel(name),
      price_at: updatedAt.toISOString(),
      source: kind,
      amount: Number(balance),
      currency,
    }),
  ],
  excluded: [],
});

export const toAccountResponse = (row: AccountRow): Account => ({
  ...row,
  balance: Number(row.balance),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
