import type { PortfolioHolding, PortfolioHoldings } from './contract.ts';
import { computeCrossRate, type Conversion, convertToBase, listRates, toRateResponse } from './convert-net-worth.ts';
import { type ConvertedHolding, explainConvertedHolding, explainConvertedUnlisted } from './explain-holdings.ts';
import type { Term } from './explanation-terms.ts';
import { calculateChangeAmount, calculateGain } from './holding-figures.ts';
import { toNumber, toPricedFields, toUnlistedHoldingResponse } from './holding-responses.ts';
import { type AnyHoldingRow, isListed, type ListedRow, splitHoldings, type UnlistedRow } from './queries.ts';
import { type BaseConversion, hasSampleRates, listOtherCurrencies } from './read-conversion.ts';

/**
 * Returns holdings per account, each with its amounts in the base currency at the last published rates. Those that the
 * catalog does not list are last. `isExplained` adds how these amounts came about.
 */
export function toPortfolioHoldings(
  rows: readonly AnyHoldingRow[],
  conversion: BaseConversion,
  isExplained = false,
): PortfolioHoldings {
  const { listed, unlisted } = splitHoldings(rows);
  return {
    currency: conversion.currency,
    holdings: [...listed, ...unlisted].map((row) => toPortfolioHolding(row, conversion, isExplained)),
    rates: listRates(listOtherCurrencies(rows, conversion.currency), conversion),
    session_day: conversion.sessionDay,
    sample_data: listed.some(({ sample }) => sample) || hasSampleRates(conversion, rows),
  };
}

/** Returns a holding with its amounts in the base currency. `isExplained` adds how these amounts came about. */
export function toPortfolioHolding(
  row: AnyHoldingRow | UnlistedRow,
  conversion: Conversion,
  isExplained = false,
): PortfolioHolding {
  const rate = describeRate(row.currency, conversion);
  const describe = (amounts: ConvertedHolding['amounts']): ConvertedHolding => ({
    currency: conversion.currency,
    amounts,
    rate,
  });
  if ('symbol' in row && isListed(row)) {
    const holding = toListedHolding(row, conversion);
    return { ...holding, ...(isExplained && explainConvertedHolding(row, describe(holding.base))) };
  }
  const holding = toUnlistedHolding(row, conversion);
  return { ...holding, ...(isExplained && explainConvertedUnlisted(row, describe(holding.base))) };
}

/** Returns the rate of a conversion with its date. Null without conversion. */
export function describeRate(
  currency: string | null,
  { currency: base, rates, today }: Conversion,
): Pick<Term, 'rate' | 'rate_date'> | null {
  if (currency === null || currency === base) return null;
  const crossRate = computeCrossRate(rates, { currency: base, other: currency, day: today });
  if (!crossRate) return null;
  const { rate, rate_date } = toRateResponse(currency, crossRate, today);
  return { rate, rate_date };
}

function toListedHolding(row: ListedRow, conversion: Conversion): PortfolioHolding {
  const convert = (amount: string | null): string | null => convertToBase(amount, row.currency, conversion);
  return {
    id: row.id,
    account_id: row.account_id,
    account_name: row.account_name,
    ...toPricedFields(row),
    change_1d: row.change_1d,
    quantity: toNumber(row.quantity),
    cost_basis: row.cost_basis === null ? null : toNumber(row.cost_basis),
    value: row.value === null ? null : toNumber(row.value),
    change_amount: calculateChangeAmount([row]),
    gain: calculateGain([row]),
    base: toBaseAmounts(convert(row.value), convert(row.cost_basis), convert(row.change_amount)),
  };
}

/** An unlisted holding has only the value of its institution. */
function toUnlistedHolding(row: UnlistedRow, conversion: Conversion): PortfolioHolding {
  const { as_of: asOf, ...holding } = toUnlistedHoldingResponse(row);
  return {
    ...holding,
    symbol: null,
    logo: null,
    logo_source: null,
    asset_type: null,
    price: null,
    price_unit: 'currency',
    price_at: asOf,
    change_1d: null,
    cost_basis: null,
    change_amount: null,
    gain: null,
    base: toBaseAmounts(convertToBase(row.value, row.currency, conversion), null, null),
  };
}

const toBaseAmounts = (value: string | null, cost: string | null, change: string | null): PortfolioHolding['base'] =>
  value === null
    ? null
    : {
        value: Number(value),
        cost_basis: cost === null ? null : Number(cost),
        change_amount: change === null ? null : Number(change),
      };
