import { EURO, findRate, type RateHistories } from '../../../market-data/domain/exchange-rates.ts';
import type { BaseNetWorth } from './contract.ts';
import { formatUnits } from './amounts.ts';
import type { CurrentNetWorthRow, NetWorthRow } from './rows.ts';

/** Days after which a rate is stale. The longest run of days without publication, at Easter, has four. */
const STALE_AFTER_DAYS = 7;
const DAY_MS = 86_400_000;
/** Decimals of converted amounts, the same as of stored amounts. */
export const AMOUNT_DECIMALS = 4;

/** Decimals of the converted amounts of single holdings. With eight of them, the sum of many is exact to four. */
const CONVERTED_DECIMALS = 8;

export interface Conversion {
  currency: string;
  /** New York's date, YYYY-MM-DD. */
  today: string;
  rates: RateHistories;
  /** Day of the latest trading session, YYYY-MM-DD. */
  sessionDay: string;
}

/** Ratio of two published rates: units of the base currency for one unit of another. */
export interface CrossRate {
  base: string;
  other: string;
  /** Day of publication of the older of the two rates. */
  date: string;
}

type ConvertedNetWorth = Omit<BaseNetWorth, 'currency' | 'chosen' | 'history' | 'changes'>;

/** Returns the current net worth in the base currency. A currency without any rate is excluded. */
export function convertNetWorth(
  currentRows: readonly CurrentNetWorthRow[],
  { currency, today, rates, sessionDay }: Conversion,
): ConvertedNetWorth {
  const findCrossRate = (other: string, day: string) => computeCrossRate(rates, { currency, other, day });
  const current = currentRows.map((row) => ({ ...row, rate: findCrossRate(row.currency, today) }));
  return {
    ...sumConverted(current.filter(hasRate)),
    rates: current
      .filter(hasRate)
      .filter((row) => row.currency !== currency)
      .map(({ currency: other, rate }) => toRateResponse(other, rate, today)),
    excluded: listUnconverted(currentRows, { currency, today, rates, sessionDay }),
  };
}

/** Returns the amounts whose currency has no rate. */
export const listUnconverted = (
  rows: readonly NetWorthRow[],
  { currency: base, today, rates }: Conversion,
): BaseNetWorth['excluded'] =>
  rows.flatMap(({ currency, cash, investments }) => {
    const amount = sumUnits([toUnits(cash), toUnits(investments)]);
    const hasNoRate = !computeCrossRate(rates, { currency: base, other: currency, day: today });
    return hasNoRate && amount !== 0 ? [{ currency, amount, reason: 'no_rate' as const }] : [];
  });

/** Returns a rate with its day of publication, and whether it is old on the day `today`. */
const toRateResponse = (currency: string, rate: CrossRate, today: string): BaseNetWorth['rates'][number] => ({
  currency,
  rate: Number((Number(rate.base) / Number(rate.other)).toPrecision(10)),
  rate_date: rate.date,
  stale: Date.parse(today) - Date.parse(rate.date) > STALE_AFTER_DAYS * DAY_MS,
});

/** Returns the rate of a currency on a day with its date. Null without conversion. */
export function describeRate(
  other: string | null,
  { currency, rates, today }: Conversion,
  day = today,
): Pick<BaseNetWorth['rates'][number], 'rate' | 'rate_date'> | null {
  if (other === null || other === currency) return null;
  const crossRate = computeCrossRate(rates, { currency, other, day });
  if (!crossRate) return null;
  const { rate, rate_date } = toRateResponse(other, crossRate, today);
  return { rate, rate_date };
}

/** Returns the unrounded rate of a currency, or undefined without one. */
export function getRate(other: string, { currency, rates, today }: Conversion): number | undefined {
  const rate = computeCrossRate(rates, { currency, other, day: today });
  return rate && Number(rate.base) / Number(rate.other);
}

/** Returns the rates of currencies that have one. */
export const listRates = (
  currencies: readonly string[],
  { currency: base, rates, today }: Conversion,
): BaseNetWorth['rates'] =>
  currencies.flatMap((other) => {
    const rate = computeCrossRate(rates, { currency: base, other, day: today });
    return rate ? [toRateResponse(other, rate, today)] : [];
  });

/** Decimals of amounts whose ratio is a percentage. */
export const EXACT_DECIMALS = 20;

/**
 * Converts an amount at the last published rate to decimal text, rounded to eight decimals or `decimals`. Null if the
 * amount or the rate is unknown.
 */
export function convertToBase(
  amount: string | null,
  other: string | null,
  { currency, rates, today }: Conversion,
  decimals = CONVERTED_DECIMALS,
): string | null {
  const rate = other === null ? undefined : computeCrossRate(rates, { currency, other, day: today });
  return amount === null || !rate ? null : formatUnits(convertAmount(amount, rate, decimals), decimals);
}

const hasRate = <Row extends { rate: CrossRate | undefined }>(row: Row): row is Row & { rate: CrossRate } =>
  row.rate !== undefined;

/** Returns the rate between two currencies that was last published by a day, or undefined if one has none. */
export function computeCrossRate(
  rates: RateHistories,
  { currency, other, day }: { currency: string; other: string; day: string },
): CrossRate | undefined {
  if (currency === other) return { base: '1', other: '1', date: day };
  const baseRate = findRate(rates, currency, day);
  const otherRate = findRate(rates, other, day);
  if (!baseRate || !otherRate) return undefined;
  return {
    base: baseRate.rate,
    other: otherRate.rate,
    date: other === EURO || (currency !== EURO && baseRate.date < otherRate.date) ? baseRate.date : otherRate.date,
  };
}

function sumConverted(rows: readonly (CurrentNetWorthRow & { rate: CrossRate })[]) {
  const cash = rows.map((row) => convertAmount(row.cash, row.rate));
  const investments = rows.map((row) => convertAmount(row.investments, row.rate));
  const liabilities = rows.map((row) => convertAmount(row.liabilities, row.rate));
  return {
    cash: sumUnits([...cash, ...liabilities.map((amount) => -amount)]),
    liabilities: sumUnits(liabilities),
    investments: sumUnits(investments),
    total: sumUnits([...cash, ...investments]),
  };
}

/** Returns the sum of units of the fourth decimal as an amount. */
export const sumUnits = (amounts: readonly bigint[]): number =>
  Number(`${amounts.reduce((sum, amount) => sum + amount, 0n)}e-${AMOUNT_DECIMALS}`);

/** Returns an amount in units of its fourth decimal. */
export const toUnits = (amount: string): bigint => convertAmount(amount, { base: '1', other: '1' });

/**
 * Converts an amount in integers, since floating point would change digits. Returns units of the last decimal, halves
 * rounded away from zero.
 */
export function convertAmount(
  amount: string,
  { base, other }: Pick<CrossRate, 'base' | 'other'>,
  decimals = AMOUNT_DECIMALS,
): bigint {
  const [amountDigits, amountDecimals] = parseDecimal(amount);
  const [baseDigits, baseDecimals] = parseDecimal(base);
  const [otherDigits, otherDecimals] = parseDecimal(other);
  const dividend = amountDigits * baseDigits * 10n ** BigInt(decimals + otherDecimals);
  const divisor = otherDigits * 10n ** BigInt(amountDecimals + baseDecimals);
  const half = dividend < 0n ? -divisor : divisor;
  return (2n * dividend + half) / (2n * divisor);
}

/** Splits decimal text into its digits as an integer and its number of decimals: `-1.25` → -125 and 2. */
function parseDecimal(text: string): [digits: bigint, decimals: number] {
  const [integerDigits = '', decimalDigits = ''] = text.split('.');
  return [BigInt(integerDigits + decimalDigits), decimalDigits.length];
}
