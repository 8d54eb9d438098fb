import { z } from 'zod';
import { day, figure, listOf, text } from '../answer-shapes.ts';

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
const hour = z
  .unknown()
  .optional()
  .transform((value) => (value === 'bmo' || value === 'amc' || value === 'dmh' ? value : null));

const report = z.object({ date: day, epsEstimate: figure, hour, symbol: z.string().min(1) });

export type FinnhubReport = z.output<typeof report>;

export const reports = z.object({ earningsCalendar: listOf(report) });

export const articles = listOf(
  z.object({ datetime: z.number(), headline: z.string(), source: text, summary: text, url: z.string() }),
);

const hit = z.object({ description: text, symbol: z.string().min(1).max(40), type: text });

export type FinnhubHit = z.output<typeof hit>;

export const found = z.object({ result: listOf(hit) });

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

export const status = z.object({
  isOpen: z.boolean(),
  session: z.enum(['pre-market', 'regular', 'post-market']).nullish(),
});
