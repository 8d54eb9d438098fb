import type { RateHistories } from '../../market-data/domain/exchange-rates.ts';
import type { ExchangeRates } from '../../market-data/services/exchange-rates/exchange-rates.ts';
import type { MarketDataService } from '../../market-data/services/market-data-service.ts';
import type { MemberSql } from '../../platform/database/roles.ts';
import type { PortfolioHolding, PortfolioHoldings } from './contract.ts';
import { type ConvertedHolding, explainConvertedHolding, explainConvertedUnlisted } from './explain-holdings.ts';
import { computeCrossRate, convertAmount, type CrossRate, toRateResponse } from './convert-net-worth.ts';
import { calculateChangeAmount, calculateGain, type HoldingAmounts } from './holding-figures.ts';
import { toNumber, toPricedFields, toUnlistedHoldingResponse } from './holding-responses.ts';
import { readBaseCurrency } from './net-worth-queries.ts';
import { type ListedRow, listHoldings, type UnlistedRow } from './queries.ts';

/** Decimals of converted amounts. With eight of them, the sum of many holdings is exact to four. */
const CONVERTED_DECIMALS = 8;
const DEFAULT_BASE_CURRENCY = 'USD';

interface PortfolioDependencies {
  market: Pick<MarketDataService, 'calendar'>;
  exchangeRates: Pick<ExchangeRates, 'read'>;
  now: () => Date;
}

/**
 * Returns the member's holdings per account, each with its amounts in the base currency at the last published rates.
 * `isExplained` adds how these amounts came about.
 */
export async function listPortfolioHoldings(
  { market, exchangeRates, now }: PortfolioDependencies,
  sql: MemberSql,
  isExplained = false,
): Promise<PortfolioHoldings> {
  const [{ listed, unlisted }, chosenCurrency] = await Promise.all([listHoldings(sql), readBaseCurrency(sql)]);
  const base = chosenCurrency ?? DEFAULT_BASE_CURRENCY;
  const today = market.calendar.toNewYorkDate(now());
  const otherCurrencies = listOtherCurrencies([...listed, ...unlisted], base);
  const rates: RateHistories =
    otherCurrencies.length === 0
      ? new Map()
      : await exchangeRates.read([...otherCurrencies, base], { from: today, to: today });
  const findCrossRate = (currency: string | null): CrossRate | undefined =>
    currency === null ? undefined : computeCrossRate(rates, { currency: base, other: currency, day: today });
  const describeConversion = (
    row: { currency: string | null },
    amounts: ConvertedHolding['amounts'],
  ): ConvertedHolding => {
    const crossRate = row.currency === base ? undefined : findCrossRate(row.currency);
    if (!crossRate || row.currency === null) return { currency: base, amounts, rate: null };
    const { rate, rate_date } = toRateResponse(row.currency, crossRate, today);
    return { currency: base, amounts, rate: { rate, rate_date } };
  };
  return {
    currency: base,
    holdings: [
      ...listed.map((row) => {
        const holding = toListedHolding(row, findCrossRate(row.currency));
        return {
          ...holding,
          ...(isExplained && explainConvertedHolding(row, describeConversion(row, holding.base))),
        };
      }),
      ...unlisted.map((row) => {
        const holding = toUnlistedHolding(row, findCrossRate(row.currency));
        return {
          ...holding,
          ...(isExplained && explainConvertedUnlisted(row, describeConversion(row, holding.base))),
        };
      }),
    ],
    rates: otherCurrencies.flatMap((currency) => {
      const rate = findCrossRate(currency);
      return rate ? [toRateResponse(currency, rate, today)] : [];
    }),
    sample_data: listed.some(({ sample }) => sample) || [...rates.values()].some(({ sample }) => sample),
  };
}

const listOtherCurrencies = (rows: readonly { currency: string | null }[], base: string): string[] =>
  [...new Set(rows.flatMap(({ currency }) => (currency === null || currency === base ? [] : [currency])))].sort();

function toListedHolding(row: ListedRow, rate: CrossRate | undefined): PortfolioHolding {
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
    base: convertAmounts(row, rate),
  };
}

/** An unlisted holding has only the value of its institution. */
function toUnlistedHolding(row: UnlistedRow, rate: CrossRate | undefined): PortfolioHolding {
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
    base: convertAmounts({ value: row.value, cost_basis: null, change_amount: null }, rate),
  };
}

function convertAmounts(amounts: HoldingAmounts, rate: CrossRate | undefined): PortfolioHolding['base'] {
  if (rate === undefined || amounts.value === null) return null;
  const convert = (amount: string): number =>
    Number(`${convertAmount(amount, rate, CONVERTED_DECIMALS)}e-${CONVERTED_DECIMALS}`);
  const convertOrNull = (amount: string | null): number | null => (amount === null ? null : convert(amount));
  return {
    value: convert(amounts.value),
    cost_basis: convertOrNull(amounts.cost_basis),
    change_amount: convertOrNull(amounts.change_amount),
  };
}
