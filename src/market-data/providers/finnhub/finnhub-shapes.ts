import { z } from 'zod';
import { anything, day, figure, listOf, text } from '../http/response-schemas.ts';
import type { MarketSession, ReportDate } from '../../domain/market-data-provider.ts';

/** Finnhub's models may leave any key out, and do leave out what has no value. */
export const quote = z.object({ c: figure, h: figure, l: figure, o: figure, pc: figure, t: figure });

export type FinnhubQuote = z.output<typeof quote>;

const numbers = listOf(figure);
const numbersIfAny = numbers.optional().transform((values) => values ?? []);

export const candles = z.union([
  z.object({
    s: z.literal('ok'),
    c: numbers,
    h: numbersIfAny,
    l: numbersIfAny,
    o: numbersIfAny,
    t: numbers,
    v: numbersIfAny,
  }),
  z.object({ s: z.literal('no_data') }),
]);

export type FinnhubCandles = z.output<typeof candles>;

/** `dmh`: while the market is open. */
const hour = anything((value) => (value === 'bmo' || value === 'amc' || value === 'dmh' ? value : null));

/** A report with an hour has been announced; without one its date is an estimate. */
const report = z
  .object({ date: day, epsEstimate: figure, hour, symbol: z.string().min(1) })
  .transform(({ symbol, date, epsEstimate, hour: announced }): ReportDate => ({
    symbol,
    date,
    when: announced === 'dmh' ? null : announced,
    eps_estimate: epsEstimate,
    estimated: announced === null,
  }));

export const reports = z
  .object({ earningsCalendar: listOf(report) })
  .transform(({ earningsCalendar }) => earningsCalendar);

export const articles = listOf(
  z.object({ datetime: z.number(), headline: z.string(), source: text, summary: text, url: z.string() }),
);

const hit = z.object({ description: text, symbol: z.string().min(1).max(40), type: text });

export type FinnhubHit = z.output<typeof hit>;

export const found = z.object({ result: listOf(hit) }).transform(({ result }) => result);

/** An unknown symbol is answered by an empty object. */
export const profile = z.object({
  ...{ exchange: text, name: text, ticker: text, logo: text, currency: text },
  marketCapitalization: figure,
});

/** An unknown bond is answered by an empty object. */
export const bondProfile = z.object({
  ...{ isin: text, asset: text, industrySubGroup: text, industryGroup: text, bondType: text },
  coupon: figure,
  maturityDate: day.nullish().transform((value) => value ?? null),
});

export const bondPrices = z.object({ c: numbersIfAny, t: numbersIfAny });

export const status = z
  .object({ isOpen: z.boolean(), session: z.enum(['pre-market', 'regular', 'post-market']).nullish() })
  .transform(({ isOpen, session }): MarketSession => {
    if (session === 'pre-market') return 'pre';
    if (session === 'post-market') return 'post';
    return isOpen && session === 'regular' ? 'open' : 'closed';
  });
