import type { Explanation } from '../net-worth/contract.ts';
import { addAmounts, calculatePercent, negate, sumAmounts, toNumberOrNull } from '../net-worth/amounts.ts';
import {
  type Conversion,
  convertNetWorth,
  convertToBase,
  describeRate,
  EXACT_DECIMALS,
  listRates,
} from '../net-worth/convert-net-worth.ts';
import { createTerm, formatCashLabel } from '../net-worth/explanation-terms.ts';
import { type BaseConversion, listOtherCurrencies } from '../net-worth/read-conversion.ts';
import type { CurrentNetWorthRow } from '../net-worth/rows.ts';
import { toAccountTotals } from '../holdings/holding-responses.ts';
import { explainConvertedHolding } from '../holdings/explain-holdings.ts';
import { convertHolding } from '../holdings/list-portfolio-holdings.ts';
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
      const parts = listValueParts(row, held, conversion);
      return {
        ...toAccountResponse(row),
        totals: toAccountTotals(held, isExplained),
        base: { ...addValueParts(parts), ...calculateDayChange(row, held, conversion) },
        ...(isExplained && { explain: explainBalance(row), explain_base: explainValueParts(parts) }),
      };
    }),
    total: convertNetWorth(netWorth, conversion).total,
    limit: ACCOUNT_LIMIT,
    rates: listRates(listOtherCurrencies([...accounts, ...holdings], conversion.currency), conversion),
  };
}

/** Part of an account's value: its cash, or one holding. */
interface ValuePart {
  currency: string | null;
  /** In `currency`. Null without a price. */
  amount: string | null;
  /** In the base currency. Null without an amount or a rate. */
  converted: string | null;
  explain: () => Explanation;
}

/** Returns cash and holdings of an account with their amounts in the base currency, and how these came about. */
function listValueParts(account: AccountRow, holdings: readonly AnyHoldingRow[], conversion: Conversion): ValuePart[] {
  const converted = convertToBase(account.balance, account.currency, conversion);
  return [
    {
      currency: account.currency,
      amount: account.balance,
      converted,
      explain: () =>
        Number(account.balance) === 0 && holdings.length > 0
          ? { terms: [], excluded: [] }
          : explainBaseCash(account, converted, conversion),
    },
    ...holdings.map((row): ValuePart => {
      const holding = convertHolding(row, conversion);
      return {
        currency: row.currency,
        amount: row.value,
        converted: holding.amounts?.value ?? null,
        explain: () => explainConvertedHolding(row, holding).explain,
      };
    }),
  ];
}

/** Returns the sum of the parts in the base currency, and the amounts whose currency has no rate. */
function addValueParts(parts: readonly ValuePart[]): Pick<AccountBase, 'value' | 'excluded'> {
  const amounts = parts.filter(hasAmount);
  const known = amounts.flatMap(({ converted }) => converted ?? []);
  const unconverted = amounts.filter(({ converted }) => converted === null);
  return {
    value: known.length === 0 && amounts.length > 0 ? null : Number(addAmounts(known)),
    excluded: [...Map.groupBy(unconverted, ({ currency }) => currency)].map(([currency, group]) => ({
      currency,
      amount: sumAmounts(group.map(({ amount }) => amount))!,
      reason: 'no_rate' as const,
    })),
  };
}

/**
 * Returns the day change of an account's holdings in the base currency. Cash, and holdings without a day change, count as
 * unchanged in the percentage, so that it belongs to the value of the account.
 */
function calculateDayChange(
  { balance, currency }: AccountRow,
  holdings: readonly AnyHoldingRow[],
  conversion: Conversion,
): Omit<AccountBase, 'value' | 'excluded'> {
  const changes = holdings.flatMap((row) => convertHolding(row, conversion).amounts?.change_amount ?? []);
  if (changes.length === 0) return { change_amount: null, change_percent: null };
  const convertExactly = (amount: string | null, from: string | null): string | null =>
    convertToBase(amount, from, conversion, EXACT_DECIMALS);
  const value = addKnown([
    convertExactly(balance, currency),
    ...holdings.map((row) => convertExactly(row.value, row.currency)),
  ]);
  const change = addKnown(holdings.map((row) => convertExactly(row.change_amount, row.currency)));
  const earlierValue = addKnown([value, negate(change)]);
  return {
    change_amount: toNumberOrNull(addAmounts(changes)),
    change_percent: Number(earlierValue) > 0 ? calculatePercent(change, earlierValue) : null,
  };
}

/** Returns the sum of the known amounts as decimal text. */
const addKnown = (amounts: readonly (string | null)[]): string | null =>
  addAmounts(amounts.filter((amount) => amount !== null));

const hasAmount = (part: ValuePart): part is ValuePart & { currency: string; amount: string } =>
  part.currency !== null && part.amount !== null && Number(part.amount) !== 0;

/** Joins how the parts came about. */
function explainValueParts(parts: readonly ValuePart[]): Explanation {
  const explanations = parts.map(({ explain }) => explain());
  return {
    terms: explanations.flatMap(({ terms }) => terms),
    excluded: explanations.flatMap(({ excluded }) => excluded),
  };
}

function explainBaseCash(account: AccountRow, amount: string | null, conversion: Conversion): Explanation {
  const { terms } = explainBalance(account);
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
