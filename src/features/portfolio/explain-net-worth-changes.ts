import type { Explanation } from './contract.ts';
import { computeCrossRate, listUnconverted, type Conversion, sumUnits, toRateResponse } from './convert-net-worth.ts';
import { createTerm, type Excluded, type Term } from './explanation-terms.ts';
import type { NetWorthRow, NetWorthStep } from './net-worth-rows.ts';

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
          ...describeRate(currency, conversion.today, conversion),
        }),
      ),
    ),
  };
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
    ...describeRate(currency, date, conversion),
  });

/** Returns the rate of a currency on a day with its date. The base currency has none. */
function describeRate(
  other: string,
  day: string,
  { currency, rates, today }: Conversion,
): Pick<Term, 'price_currency' | 'rate' | 'rate_date'> {
  const crossRate = other === currency ? undefined : computeCrossRate(rates, { currency, other, day });
  if (!crossRate) return { price_currency: other, rate: null, rate_date: null };
  const { rate, rate_date } = toRateResponse(other, crossRate, today);
  return { price_currency: other, rate, rate_date };
}
