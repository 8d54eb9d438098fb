/** Kinds of listing that members can watch or hold. */
export type AssetType = 'stock' | 'etf' | 'mutual_fund' | 'bond';

/**
 * Capabilities of a provider. Each fails over separately, since a key may cover quotes and no candles. `bonds` means
 * that `lookup` and `quotes` support bonds by CUSIP and ISIN.
 */
export type Capability =
  | 'quotes'
  | 'candles'
  | 'earnings'
  | 'news'
  | 'search'
  | 'lookup'
  | 'bonds'
  | 'splits'
  | 'fundamentals'
  | 'dividends'
  | 'status';

/**
 * One price with the figures of its day in the unit that the provider declares (pence stay pence). null means unknown.
 */
export interface Quote {
  symbol: string;
  /** In the declared unit, or for a bond in percent of par. */
  price: number;
  /** Declared currency with its exact case ("GBp" is not "GBP"), or null if the quote has none. */
  currency: string | null;
  prevClose: number | null;
  open: number | null;
  dayHigh: number | null;
  dayLow: number | null;
  volume: number | null;
  marketCap: number | null;
  /** ISO 8601, UTC. */
  asOf: string;
  delayedMinutes: number;
}

/** Empty day figures for a quote that has only a price. */
export const EMPTY_DAY_FIGURES = {
  prevClose: null,
  open: null,
  dayHigh: null,
  dayLow: null,
  volume: null,
  marketCap: null,
} as const;

/**
 * One trading day. `date` is in the exchange's time zone (YYYY-MM-DD). Prices are in the declared unit and
 * split-adjusted.
 */
export interface Candle {
  date: string;
  open: number | null;
  high: number | null;
  low: number | null;
  close: number;
  volume: number | null;
}

/** A past or future report of a company. */
export interface ReportDate {
  symbol: string;
  date: string;
  /** Before the market opens or after it closes, or null if unknown. */
  when: 'bmo' | 'amc' | null;
  eps_estimate: number | null;
  /** True if the date is estimated and not yet announced. */
  estimated: boolean;
}

/** A news article. Texts contain no markup, and `url` is http or https. */
export interface Article {
  title: string;
  summary: string;
  url: string;
  /** Name of the publisher. */
  source: string;
  /** ISO 8601, UTC. */
  published_at: string;
  /** The requested symbols that the article covers. */
  symbols: string[];
  /** True for articles of the simulator. */
  sample: boolean;
}

/** Figures and description of a security that change slowly. null means that the provider does not have it. */
export interface Fundamentals {
  /** Price divided by the earnings per share of the last twelve months. null also for a loss. */
  peRatio: number | null;
  /** Dividends of the last twelve months in percent of the price. */
  dividendYield: number | null;
  /** One or more sentences without markup. */
  description: string | null;
  industry: string | null;
  /** http or https. */
  website: string | null;
}

/** Identity of a symbol. `currency` is as declared. */
export interface Listing {
  symbol: string;
  name: string | null;
  exchange: string | null;
  assetType: AssetType;
  currency: string | null;
  /** URL of the provider's logo or a path of Tally. null if there is none or the call does not return it. */
  logo: string | null;
  /** In `currency` itself (pounds, never pence). Absent if the call does not return it. */
  marketCap?: number | null;
  /** Absent if the call does not return it. */
  isin?: string | null;
  /** Net assets of a fund in `currency`, for ranking. Absent if the call does not return it. */
  fundAssets?: number | null;
}

/** A dividend as a provider states it, per share. null means that the provider does not have it. */
export interface Dividend {
  symbol: string;
  /** First day on which a buyer does not receive the dividend, YYYY-MM-DD. */
  ex_date: string;
  payment_date: string | null;
  /** YYYY-MM-DD. Of two statements about one dividend the later declaration counts. */
  declared_on: string | null;
  /** Adjusted for later splits, in the declared unit. Zero for a dividend in shares. */
  amount: number | null;
  /** As declared, with its exact case ("GBp" is not "GBP"). null means that of the listing. */
  currency: string | null;
  /** Regular payments a year. null for a special or irregular one. */
  per_year: number | null;
}

/** A split of `numerator` new shares for `denominator` old ones. */
export interface Split {
  date: string;
  numerator: number;
  denominator: number;
}

export type MarketSession = 'pre' | 'open' | 'post' | 'closed';

/** Reason why a provider returned no result. */
export type ProviderError =
  | { ok: false; reason: 'rate_limited'; retryAfter: number | null }
  /**
   * The plan covers this capability for no symbol. `retryAfter` (seconds) is set if the provider was skipped after an
   * earlier denial.
   */
  | { ok: false; reason: 'not_entitled'; retryAfter?: number }
  /** The provider has no such symbol, or the plan of the key does not cover it. */
  | { ok: false; reason: 'unknown' }
  /** The symbol cannot be listed here: a coin, a currency pair or a future. */
  | { ok: false; reason: 'unsupported' }
  /** Our own quota for this kind of call is exhausted. */
  | { ok: false; reason: 'quota_exhausted' }
  | { ok: false; reason: 'upstream'; detail: string };

/** `stoppedBy` is the error that stopped the batch early. A symbol missing from `value` may not have been requested. */
export type ProviderResult<T> = { ok: true; value: T; stoppedBy?: ProviderError } | ProviderError;

/** Transforms the value of a result. Errors and `stoppedBy` stay unchanged. */
export const mapResult = <T, U>(result: ProviderResult<T>, transform: (value: T) => U): ProviderResult<U> =>
  result.ok ? { ...result, value: transform(result.value) } : result;

/**
 * Purpose of a call, which limits its share of the quota. `listing`: a small call for one listing (profile, first
 * price, splits). `backfill`: a history. `background`: search, reports and news.
 */
export type CallPriority = 'quotes' | 'listing' | 'backfill' | 'background';

/** Acquires one call from the provider's quota. Resolves to false if the quota of this class is exhausted. */
export type TryAcquire = (priority: CallPriority) => Promise<boolean>;

export interface DateRange {
  /** YYYY-MM-DD, inclusive. */
  from: string;
  to: string;
}

/** Creates a provider that uses a quota. Without `tryAcquire` every call is free. */
export type CreateProvider = (options: { now: () => Date; tryAcquire?: TryAcquire }) => MarketDataProvider;

/**
 * One source of market data. Methods never throw and observe the signal. Symbols are in the catalog's spelling (BRK.B).
 */
export interface MarketDataProvider {
  readonly id: string;
  readonly capabilities: ReadonlySet<Capability>;
  /** Maximum number of symbols for one call of `quotes`. */
  readonly maxQuotesPerCall: number;
  /** Maximum number of symbols for one call of `news`. */
  readonly maxNewsSymbols: number;
  /** Whether one call of `earnings` can cover all companies. */
  readonly supportsMarketWideEarnings: boolean;
  /** Whether reports state if they precede the open or follow the close. */
  readonly hasReportHours: boolean;
  /** Origins from which its logos may be fetched. */
  readonly logoOrigins: readonly string[];
  /** Initial content of an empty catalog, by symbol. Empty if the catalog grows with the symbols that members use. */
  readonly seedListings: ReadonlyMap<string, Listing>;
  /** Returns the SVG of a logo that the provider draws. Returns undefined if logos are fetched from their URLs. */
  renderLogo(symbol: string): string | undefined;
  /**
   * Returns prices of known symbols. With `stoppedBy`, null marks a symbol that was requested and is unknown.
   * `priority` defaults to 'quotes'.
   */
  quotes(
    symbols: readonly string[],
    signal: AbortSignal,
    priority?: CallPriority,
  ): Promise<ProviderResult<Map<string, Quote | null>>>;
  /** Returns candles of closed days, ascending. `from` and `to` are inclusive. */
  dailyCandles(symbol: string, range: DateRange, signal: AbortSignal): Promise<ProviderResult<Candle[]>>;
  /** Returns reports ascending by date. */
  earnings(
    symbols: readonly string[] | 'all',
    range: DateRange,
    signal: AbortSignal,
  ): Promise<ProviderResult<ReportDate[]>>;
  /** Returns articles, newest first. */
  news(symbols: readonly string[], limit: number, signal: AbortSignal): Promise<ProviderResult<Article[]>>;
  search(query: string, limit: number, signal: AbortSignal): Promise<ProviderResult<Listing[]>>;
  /** `priority` defaults to 'listing'. */
  lookup(symbol: string, signal: AbortSignal, priority?: CallPriority): Promise<ProviderResult<Listing>>;
  /** Returns the symbol of the share or fund with an ISIN. Absent if the provider does not support it. */
  findSymbolByIsin?(isin: string, signal: AbortSignal): Promise<ProviderResult<string>>;
  splits(symbol: string, range: DateRange, signal: AbortSignal): Promise<ProviderResult<Split[]>>;
  /** Returns figures and description of a stock, ETF or fund. */
  fundamentals(symbol: string, signal: AbortSignal): Promise<ProviderResult<Fundamentals>>;
  /** Returns the dividends of a stock, ETF or fund: of at least two years, and declared ones. */
  dividends(symbol: string, signal: AbortSignal): Promise<ProviderResult<Dividend[]>>;
  /** Returns the dividends of all securities by ex-date. Absent if the provider does not support it. */
  dividendCalendar?(range: DateRange, signal: AbortSignal): Promise<ProviderResult<Dividend[]>>;
  status(signal: AbortSignal): Promise<ProviderResult<MarketSession>>;
}
