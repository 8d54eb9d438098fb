import type { ReferenceCurrency } from '../../../market-data/contract.ts';
import type { ExchangeRates } from '../../../market-data/services/exchange-rates/exchange-rates.ts';
import type { MarketDataService } from '../../../market-data/services/market-data-service.ts';
import type { Conversion } from './convert-net-worth.ts';
import type { SettingsRow } from './queries.ts';

export interface ConversionContext {
  market: Pick<MarketDataService, 'calendar'>;
  exchangeRates: Pick<ExchangeRates, 'read'>;
  now: () => Date;
}

/** Conversion to the member's base currency. */
export interface BaseConversion extends Conversion {
  currency: ReferenceCurrency;
  /** False if the member has no base currency yet. It is USD then. */
  chosen: boolean;
}

const DEFAULT_BASE_CURRENCY = 'USD';

/**
 * Reads the rates between the base currency and the currencies of some rows, since a date or of today. Without other
 * currencies no rate is read.
 */
export async function readConversion(
  { market, exchangeRates, now }: ConversionContext,
  settings: readonly SettingsRow[],
  rows: readonly { currency: string | null }[],
  from?: string,
): Promise<BaseConversion> {
  const chosenCurrency = settings[0]?.base_currency;
  const currency = chosenCurrency ?? DEFAULT_BASE_CURRENCY;
  const today = market.calendar.toNewYorkDate(now());
  const others = listOtherCurrencies(rows, currency);
  return {
    currency,
    chosen: chosenCurrency !== undefined,
    today,
    sessionDay: market.calendar.getLatestSessionDay(now()),
    rates:
      others.length === 0
        ? new Map()
        : await exchangeRates.read([...others, currency], { from: from ?? today, to: today }),
  };
}

/** Returns the currencies of rows other than the base currency, sorted. */
export const listOtherCurrencies = (rows: readonly { currency: string | null }[], base: string): string[] =>
  [...new Set(rows.flatMap(({ currency }) => (currency === null || currency === base ? [] : [currency])))].sort();

/** Returns whether a rate between the base currency and those of some rows is simulated. */
export function hasSampleRates(
  { currency: base, rates }: Conversion,
  rows: readonly { currency: string | null }[],
): boolean {
  const others = listOtherCurrencies(rows, base);
  return others.length > 0 && [...others, base].some((currency) => rates.get(currency)?.sample);
}
