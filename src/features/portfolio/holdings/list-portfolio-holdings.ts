import type { AccountCash, PortfolioHolding, PortfolioHoldings } from './contract.ts';
import {
  type Conversion,
  convertNetWorth,
  convertToBase,
  describeRate,
  getRate,
  listRates,
} from '../net-worth/convert-net-worth.ts';
import { type ConvertedHolding, explainConvertedHolding } from './explain-holdings.ts';
import { calculateChangeAmount, calculateGain } from './holding-figures.ts';
import { toNumberOrNull } from '../net-worth/amounts.ts';
import { toPricedFields } from './holding-responses.ts';
import type { CurrentNetWorthRow } from '../net-worth/rows.ts';
import { type AnyHoldingRow, type CashRow, splitHoldings } from './queries.ts';
import { type BaseConversion, hasSampleRates, listOtherCurrencies } from '../net-worth/read-conversion.ts';

interface ShownRows {
  accounts: readonly CashRow[];
  holdings: readonly AnyHoldingRow[];
  net_worth: readonly CurrentNetWorthRow[];
}

/**
 * Returns holdings per account and the cash of accounts, each with its amounts in the base currency at the last published
 * rates. Holdings that the catalog does not list are last. `isExplained` adds how their amounts came about.
 */
export function toPortfolioHoldings(
  { accounts, holdings, net_worth: netWorth }: ShownRows,
  conversion: BaseConversion,
  isExplained = false,
): PortfolioHoldings {
  const { listed, unlisted } = splitHoldings(holdings);
  const accountsWithCash = accounts.filter(({ balance }) => Number(balance) !== 0);
  const rows = [...accountsWithCash, ...holdings];
  const { cash, liabilities, investments, total } = convertNetWorth(netWorth, conversion);
  return {
    currency: conversion.currency,
    holdings: [...listed, ...unlisted].map((row) => toPortfolioHolding(row, conversion, isExplained)),
    cash: accountsWithCash.map((account) => toAccountCash(account, conversion)),
    base: { cash, liabilities, investments, total },
    rates: listRates(listOtherCurrencies(rows, conversion.currency), conversion),
    session_day: conversion.sessionDay,
    sample_data: listed.some(({ sample }) => sample) || hasSampleRates(conversion, rows),
  };
}

function toAccountCash({ id, name, currency, balance }: CashRow, conversion: Conversion): AccountCash {
  const converted = convertToBase(balance, currency, conversion);
  return {
    account_id: id,
    account_name: name,
    currency,
    balance: Number(balance),
    base: toNumberOrNull(converted),
  };
}

/** Returns the amounts of a holding in the base currency at the last published rates. */
export function convertHolding(row: AnyHoldingRow, conversion: Conversion): ConvertedHolding {
  const convert = (amount: string | null): string | null => convertToBase(amount, row.currency, conversion);
  const value = convert(row.value);
  return {
    currency: conversion.currency,
    amounts:
      value === null ? null : { value, cost_basis: convert(row.cost_basis), change_amount: convert(row.change_amount) },
    rate: describeRate(row.currency, conversion),
  };
}

/** Returns a holding with its amounts in the base currency. `isExplained` adds how these amounts came about. */
function toPortfolioHolding(row: AnyHoldingRow, conversion: Conversion, isExplained = false): PortfolioHolding {
  const converted = convertHolding(row, conversion);
  return {
    id: row.id,
    account_id: row.account_id,
    account_name: row.account_name,
    ...toPricedFields(row),
    // The value of the institution, which has no price.
    ...(row.symbol === null && { price_at: row.as_of.toISOString() }),
    change_1d: row.change_1d,
    quantity: Number(row.quantity),
    cost_basis: toNumberOrNull(row.cost_basis),
    value: toNumberOrNull(row.value),
    change_amount: calculateChangeAmount([row]),
    gain: calculateGain([row]),
    base: converted.amounts && {
      value: Number(converted.amounts.value),
      cost_basis: toNumberOrNull(converted.amounts.cost_basis),
      change_amount: toNumberOrNull(converted.amounts.change_amount),
      rate: getRate(row.currency!, conversion)!,
    },
    ...(isExplained && explainConvertedHolding(row, converted)),
  };
}
