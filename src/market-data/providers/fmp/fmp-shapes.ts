import { z } from 'zod';
import { isinOf } from '../../domain/bond-identifier.ts';
import { anything, day, figure, listOf, text } from '../http/response-schemas.ts';
import type { Listing, Quote, ReportDate } from '../../domain/market-data-provider.ts';
import { fromFmp, guessKind } from './fmp-symbols.ts';

/** In our spelling. */
const symbol = z.string().min(1).max(40).transform(fromFmp);
const isTrue = anything((value) => value === true || value === 'true');

/** Quotes come without their currency; a row without a price or a time is no quote. */
export const quotes = listOf(
  z
    .object({
      symbol,
      price: figure,
      previousClose: figure,
      open: figure,
      dayHigh: figure,
      dayLow: figure,
      volume: figure,
      marketCap: figure,
      timestamp: figure,
    })
    .transform(({ price, previousClose, timestamp, ...known }): Quote | undefined => {
      if (price === null || price <= 0 || timestamp === null || timestamp <= 0 || timestamp > 1e11) return undefined;
      const asOf = new Date(timestamp * 1_000).toISOString();
      return { ...known, price, currency: null, prevClose: previousClose, asOf, delayedMinutes: 15 };
    }),
);

export const candles = listOf(
  z.object({ date: day, open: figure, high: figure, low: figure, close: z.number(), volume: figure }),
);

/** FMP says neither the hour nor whether a date is confirmed, so each counts as an estimate. */
export const reports = listOf(
  z.object({ symbol, date: day, epsEstimated: figure }).transform(({ epsEstimated, ...report }): ReportDate => ({
    ...report,
    when: null,
    eps_estimate: epsEstimated,
    estimated: true,
  })),
);

const article = z.object({
  symbol: text.transform((about) => (about === null ? null : fromFmp(about))),
  publishedDate: z.string(),
  publisher: text,
  title: z.string(),
  site: text,
  text,
  url: z.string(),
});

export type FmpArticle = z.output<typeof article>;

export const articles = listOf(article);

/** A hit does not say its kind. */
export const found = listOf(
  z
    .object({ symbol, name: text, currency: text, exchange: text })
    .transform((hit): Listing => ({ ...hit, assetType: guessKind(hit.symbol, hit.name), logo: null })),
);

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
    marketCap: figure,
    isin: text.transform((isin) => (isin !== null && isinOf(isin) === isin ? isin : null)),
    isActivelyTrading: anything((value) => value !== false && value !== 'false'),
  }),
);

/** Listings of an ISIN, the whole world's. */
export const listedUnder = listOf(z.object({ symbol, marketCap: figure }));

export const floats = listOf(z.object({ symbol, outstandingShares: figure }));

export const splits = listOf(
  z.object({ date: day, numerator: z.number().positive(), denominator: z.number().positive() }),
);
