import { z } from 'zod';
import { lenient, day, nullableDay, nullableNumber, lenientList, nullableText } from '../http/response-schemas.ts';
import type { Dividend, MarketSession, ReportDate } from '../../domain/market-data-provider.ts';

/** Finnhub may omit any key, and does omit keys without a value. */
export const quote = z.object({
  c: nullableNumber,
  h: nullableNumber,
  l: nullableNumber,
  o: nullableNumber,
  pc: nullableNumber,
  t: nullableNumber,
});

export type FinnhubQuote = z.output<typeof quote>;

const numbers = lenientList(nullableNumber);
const optionalNumbers = numbers.optional().transform((values) => values ?? []);

export const candles = z.union([
  z.object({
    s: z.literal('ok'),
    c: numbers,
    h: optionalNumbers,
    l: optionalNumbers,
    o: optionalNumbers,
    t: numbers,
    v: optionalNumbers,
  }),
  z.object({ s: z.literal('no_data') }),
]);

export type FinnhubCandles = z.output<typeof candles>;

/** `dmh` means during market hours. */
const hour = lenient((value) => (value === 'bmo' || value === 'amc' || value === 'dmh' ? value : null));

/** A report with an hour has been announced. Without an hour its date is an estimate. */
const report = z
  .object({ date: day, epsEstimate: nullableNumber, hour, symbol: z.string().min(1) })
  .transform(({ symbol, date, epsEstimate, hour: announced }): ReportDate => ({
    symbol,
    date,
    when: announced === 'dmh' ? null : announced,
    eps_estimate: epsEstimate,
    estimated: announced === null,
  }));

export const reports = z
  .object({ earningsCalendar: lenientList(report) })
  .transform(({ earningsCalendar }) => earningsCalendar);

export const articles = lenientList(
  z.object({
    datetime: z.number(),
    headline: z.string(),
    source: nullableText,
    summary: nullableText,
    url: z.string(),
  }),
);

const searchHit = z.object({ description: nullableText, symbol: z.string().min(1).max(40), type: nullableText });

export type FinnhubSearchHit = z.output<typeof searchHit>;

export const hits = z.object({ result: lenientList(searchHit) }).transform(({ result }) => result);

/** Finnhub returns an empty object for an unknown symbol. */
export const profile = z.object({
  exchange: nullableText,
  name: nullableText,
  ticker: nullableText,
  logo: nullableText,
  currency: nullableText,
  marketCapitalization: nullableNumber,
  finnhubIndustry: nullableText,
  weburl: nullableText,
});

/** The yields are percentages. The first is of the last twelve months, the second of the announced dividend. */
const metric = z.object({
  peTTM: nullableNumber,
  currentDividendYieldTTM: nullableNumber,
  dividendYieldIndicatedAnnual: nullableNumber,
});

/** Finnhub returns an empty object for an unknown symbol. */
export const metrics = z.object({ metric: metric.nullish() }).transform(({ metric: figures }) => figures ?? null);

/** Payments a year by Finnhub's code of the frequency. 4 is another or an unknown one. */
const paymentsByCode: Readonly<Record<string, number>> = { 0: 1, 1: 12, 2: 4, 3: 2, 5: 6, 6: 3, 7: 52 };

/** `date` is the ex-date, `adjustedAmount` is adjusted for later splits. */
export const dividends = lenientList(
  z
    .object({
      symbol: z.string().min(1),
      date: day,
      payDate: nullableDay,
      declarationDate: nullableDay,
      adjustedAmount: nullableNumber,
      amount: nullableNumber,
      currency: nullableText,
      freq: lenient((code) => paymentsByCode[String(code)] ?? null),
    })
    .transform((row): Dividend => ({
      symbol: row.symbol,
      ex_date: row.date,
      payment_date: row.payDate,
      declared_on: row.declarationDate,
      amount: row.adjustedAmount ?? row.amount,
      currency: row.currency,
      per_year: row.freq,
    })),
);

/** Finnhub returns an empty object for an unknown bond. */
export const bondProfile = z.object({
  isin: nullableText,
  asset: nullableText,
  industrySubGroup: nullableText,
  industryGroup: nullableText,
  bondType: nullableText,
  coupon: nullableNumber,
  maturityDate: day.nullish().transform((value) => value ?? null),
});

export const bondPrices = z.object({ c: optionalNumbers, t: optionalNumbers });

export const status = z
  .object({ isOpen: z.boolean(), session: z.enum(['pre-market', 'regular', 'post-market']).nullish() })
  .transform(({ isOpen, session }): MarketSession => {
    if (session === 'pre-market') return 'pre';
    if (session === 'post-market') return 'post';
    return isOpen && session === 'regular' ? 'open' : 'closed';
  });
