import { z } from 'zod';
import { day, figure, listOf, text } from '../answer-shapes.ts';

const symbol = z.string().min(1).max(40);
const isTrue = z
  .unknown()
  .optional()
  .transform((value) => value === true || value === 'true');

const quote = z.object({
  symbol,
  price: figure,
  previousClose: figure,
  open: figure,
  dayHigh: figure,
  dayLow: figure,
  volume: figure,
  marketCap: figure,
  timestamp: figure,
});

export type FmpQuote = z.output<typeof quote>;

export const quotes = listOf(quote);

export const candles = listOf(
  z.object({ date: day, open: figure, high: figure, low: figure, close: z.number(), volume: figure }),
);

const report = z.object({ symbol, date: day, epsEstimated: figure });

export type FmpReport = z.output<typeof report>;

export const reports = listOf(report);

const article = z.object({
  symbol: text,
  publishedDate: z.string(),
  publisher: text,
  title: z.string(),
  site: text,
  text,
  url: z.string(),
});

export type FmpArticle = z.output<typeof article>;

export const articles = listOf(article);

export const found = listOf(z.object({ symbol, name: text, currency: text, exchangeFullName: text, exchange: text }));

export const profiles = listOf(
  z.object({
    symbol,
    companyName: text,
    currency: text,
    exchange: text,
    isEtf: isTrue,
    isFund: isTrue,
    image: text,
    defaultImage: isTrue,
    price: figure,
    isActivelyTrading: z
      .unknown()
      .optional()
      .transform((value) => value !== false && value !== 'false'),
  }),
);

export const floats = listOf(z.object({ symbol, outstandingShares: figure }));

export const splits = listOf(
  z.object({ date: day, numerator: z.number().positive(), denominator: z.number().positive() }),
);
