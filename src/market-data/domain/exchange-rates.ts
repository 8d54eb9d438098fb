/** Published reference rates of one day. */
export interface DayRates {
  /** YYYY-MM-DD. */
  date: string;
  /** Units of each currency for one euro, as decimal text so that no digit is lost. */
  rates: Readonly<Record<string, string>>;
}

export type RatesResult = { ok: true; days: readonly DayRates[] } | { ok: false; detail: string };

/** Source of daily reference rates. A failure is returned, never thrown. */
export interface ExchangeRateSource {
  readonly id: 'ecb' | 'simulator';
  /** Number of days before today for which `fetchHistory` has rates that are worth storing. */
  readonly historyDays: number;
  /** Fetches the last published day. */
  fetchLatest(signal: AbortSignal): Promise<RatesResult>;
  /** Fetches every published day since a date. */
  fetchHistory(from: string, signal: AbortSignal): Promise<RatesResult>;
}

/** Rates of one currency against the euro, oldest first. */
interface RateHistory {
  dates: readonly string[];
  rates: readonly string[];
  /** True if a rate is simulated. */
  sample: boolean;
}

/** Rates by currency. The euro has none, because its rate is always 1. */
export type RateHistories = ReadonlyMap<string, RateHistory>;

export const EURO = 'EUR';

/** Returns the last rate published on or before a day, or undefined if there is none. */
export function findRate(
  histories: RateHistories,
  currency: string,
  day: string,
): { rate: string; date: string } | undefined {
  if (currency === EURO) return { rate: '1', date: day };
  const history = histories.get(currency);
  if (!history) return undefined;
  let low = 0;
  let high = history.dates.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (history.dates[middle]! <= day) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? undefined : { rate: history.rates[low - 1]!, date: history.dates[low - 1]! };
}
