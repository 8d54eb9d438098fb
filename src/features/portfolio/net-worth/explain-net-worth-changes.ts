import type { Explanation } from './contract.ts';
import { AMOUNT_DECIMALS, type Conversion, describeRate, listUnconverted, sumUnits } from './convert-net-worth.ts';
import { createTerm, type Excluded, type Term } from './explanation-terms.ts';
import { addAmounts, negate } from './amounts.ts';
import type { NetWorthRow, NetWorthStep } from './rows.ts';

type ChangeExplanations = Record<'explain_market' | 'explain_flows' | 'explain_exchange_rates', Explanation>;

/** Explains market and exchange rates of a period by one term per currency, and flows by one per day and currency. */
export function explainChange(
  stepsByCurrency: ReadonlyMap<string, readonly NetWorthStep[]>,
  excluded: readonly Excluded[],
  conversion: Conversion,
): ChangeExplanations {
  const steps = [...stepsByCurrency];
  const explain = (terms: readonly Term[]): Explanation => ({
    terms: terms.filter(({ amount }) => amount !== 0),
    excluded: [...excluded],
  });
  return {
    explain_market: explain(
      steps.map(([currency, ofCurrency]) =>
        createTerm({
          label: `Market prices in ${currency}`,
          amount: sumUnits(ofCurrency.map(({ market }) => market)),
          currency: conversion.currency,
          price_currency: currency,
        }),
      ),
    ),
    explain_flows: explain(
      steps
        .flatMap(([currency, ofCurrency]) => ofCurrency.map((step) => ({ currency, step })))
        .toSorted((a, b) => a.step.date.localeCompare(b.step.date))
        .map(({ currency, step }) => toFlowTerm(step, currency, conversion)),
    ),
    explain_exchange_rates: explain(
      steps.map(([currency, ofCurrency]) =>
        createTerm({
          label: `Exchange rate of ${currency}`,
          amount: sumUnits(ofCurrency.map(({ exchangeRates }) => exchangeRates)),
          currency: conversion.currency,
          price_currency: currency,
          ...describeRate(currency, conversion),
        }),
      ),
    ),
  };
}

/**
 * Explains the market's part of the latest day by the day change of all holdings, as the portfolio shows it, and by what
 * moves net worth but no holding's day change: funds, bonds, values of institutions, and prices of what was traded.
 */
export function explainMarketDay(
  market: number,
  dayChange: string,
  excluded: readonly Excluded[],
  { currency }: Conversion,
): Explanation {
  const others = addAmounts([market.toFixed(AMOUNT_DECIMALS), negate(dayChange)]);
  const terms = [
    createTerm({ label: 'Day change of holdings', amount: Number(dayChange), currency }),
    createTerm({ label: 'Other price changes: funds, bonds and trades', amount: Number(others), currency }),
  ];
  return { terms: terms.filter(({ amount }) => amount !== 0), excluded: [...excluded] };
}

/** Returns the amounts that have no rate. A change omits them. */
export const excludeUnconverted = (currentRows: readonly NetWorthRow[], conversion: Conversion): Excluded[] =>
  listUnconverted(currentRows, conversion).map(({ currency, amount, reason }) => ({
    what: `Net worth in ${currency}`,
    amount,
    currency,
    reason,
  }));

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

const toFlowTerm = ({ flows, date }: NetWorthStep, currency: string, conversion: Conversion): Term =>
  createTerm({
    label: `${flows < 0n ? 'Withdrawn' : 'Added'} on ${dayFormat.format(new Date(date))}`,
    amount: sumUnits([flows]),
    currency: conversion.currency,
    price_currency: currency,
    ...describeRate(currency, conversion, date),
  });
