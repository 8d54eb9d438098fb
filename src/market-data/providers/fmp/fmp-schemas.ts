import { z } from 'zod';
import { toIsin } from '../../domain/bond-identifier.ts';
import { lenient, day, nullableDay, nullableNumber, lenientList, nullableText } from '../http/response-schemas.ts';
import type { Dividend, Listing, Quote, ReportDate } from '../../domain/market-data-provider.ts';
import { fromFmpSymbol, guessAssetType } from './fmp-symbols.ts';

/** Converts to the catalog's spelling. */
const symbol = z.string().min(1).max(40).transform(fromFmpSymbol);
const lenientBoolean = lenient((value) => value === true || value === 'true');

/** FMP quotes have no currency. A row without a price or a time is dropped. */
export const quotes = lenientList(
  z
    .object({
      symbol,
      price: nullableNumber,
      previousClose: nullableNumber,
      open: nullableNumber,
      dayHigh: nullableNumber,
      dayLow: nullableNumber,
      volume: nullableNumber,
      marketCap: nullableNumber,
      timestamp: nullableNumber,
    })
    .transform(({ price, previousClose, timestamp, ...quoteFields }): Quote | undefined => {
      if (price === null || price <= 0 || timestamp === null || timestamp <= 0 || timestamp > 1e11) return undefined;
      const asOf = new Date(timestamp * 1_000).toISOString();
      return { ...quoteFields, price, currency: null, prevClose: previousClose, asOf, delayedMinutes: 15 };
    }),
);

export const candles = lenientList(
  z.object({
    date: day,
    open: nullableNumber,
    high: nullableNumber,
    low: nullableNumber,
    close: z.number(),
    volume: nullableNumber,
  }),
);

/** FMP returns neither the hour nor whether a date is confirmed, so each date counts as an estimate. */
export const reports = lenientList(
  z
    .object({ symbol, date: day, epsEstimated: nullableNumber })
    .transform(({ epsEstimated, ...report }): ReportDate => ({
      ...report,
      when: null,
      eps_estimate: epsEstimated,
      estimated: true,
    })),
);

const article = z.object({
  symbol: nullableText.transform((about) => (about === null ? null : fromFmpSymbol(about))),
  publishedDate: z.string(),
  publisher: nullableText,
  title: z.string(),
  site: nullableText,
  text: nullableText,
  url: z.string(),
});

export type FmpArticle = z.output<typeof article>;

export const articles = lenientList(article);

/** A search hit has no asset type. */
export const hits = lenientList(
  z
    .object({ symbol, name: nullableText, currency: nullableText, exchange: nullableText })
    .transform((hit): Listing => ({ ...hit, assetType: guessAssetType(hit.symbol, hit.name), logo: null })),
);

export const profiles = lenientList(
  z.object({
    symbol,
    companyName: nullableText,
    currency: nullableText,
    exchange: nullableText,
    isEtf: lenientBoolean,
    isFund: lenientBoolean,
    image: nullableText,
    defaultImage: lenientBoolean,
    price: nullableNumber,
    marketCap: nullableNumber,
    isin: nullableText.transform((isin) => (isin !== null && toIsin(isin) === isin ? isin : null)),
    isActivelyTrading: lenient((value) => value !== false && value !== 'false'),
  }),
);

/** The part of a profile that describes the company or fund. */
export const descriptions = lenientList(
  z.object({ symbol, description: nullableText, industry: nullableText, website: nullableText }),
);

/** Ratios of the last twelve months. The yield is a fraction: 0.0055 is 0.55 %. */
export const ratios = lenientList(
  z.object({ symbol, priceToEarningsRatioTTM: nullableNumber, dividendYieldTTM: nullableNumber }),
);

/** Listings of an ISIN worldwide. */
export const listingsByIsin = lenientList(z.object({ symbol, marketCap: nullableNumber }));

export const floats = lenientList(z.object({ symbol, outstandingShares: nullableNumber }));

export const splits = lenientList(
  z.object({ date: day, numerator: z.number().positive(), denominator: z.number().positive() }),
);

/** Payments a year by FMP's frequency without case and dashes. `Special` and `Irregular` have none. */
const paymentsByFrequency: Readonly<Record<string, number>> = {
  weekly: 52,
  monthly: 12,
  bimonthly: 6,
  quarterly: 4,
  semiannual: 2,
  semiannually: 2,
  annual: 1,
  annually: 1,
};

/** FMP states no currency of a dividend. `date` is the ex-date, `adjDividend` is adjusted for later splits. */
export const dividends = lenientList(
  z
    .object({
      symbol,
      date: day,
      paymentDate: nullableDay,
      declarationDate: nullableDay,
      adjDividend: nullableNumber,
      dividend: nullableNumber,
      frequency: nullableText,
    })
    .transform((row): Dividend => ({
      symbol: row.symbol,
      ex_date: row.date,
      payment_date: row.paymentDate,
      declared_on: row.declarationDate,
      amount: row.adjDividend ?? row.dividend,
      currency: null,
      per_year: paymentsByFrequency[(row.frequency ?? '').toLowerCase().replace(/[^a-z]/g, '')] ?? null,
    })),
);
