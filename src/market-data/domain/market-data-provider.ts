/** The four kinds of listing that can be followed or held. */
export type AssetType = 'stock' | 'etf' | 'mutual_fund' | 'bond';

/**
 * What a provider can be asked for; each is resolved by itself, since a key may cover quotes and not candles. `bonds`:
 * its `lookup` and `quotes` know bonds by CUSIP and ISIN.
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
  | 'status';

/** One price with its day, in the provider's declared unit (pence stay pence). `null`: the provider does not know. */
export interface Quote {
  symbol: string;
  /** In the declared unit; of a bond in percent of par. */
  price: number;
  /** As declared, case and all ("GBp" is not "GBP"); `null` where the quote does not say. */
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

/** The day's figures of a quote that is a price alone. */
export const EMPTY_DAY_FIGURES = {
  prevClose: null,
  open: null,
  dayHigh: null,
  dayLow: null,
  volume: null,
  marketCap: null,
} as const;

/** One trading day; `date` is the exchange's own (YYYY-MM-DD). Prices are in the declared unit, adjusted for splits. */
export interface Candle {
  date: string;
  open: number | null;
  high: number | null;
  low: number | null;
  close: number;
  volume: number | null;
}

/** A company's report, past or to come. */
export interface ReportDate {
  symbol: string;
  date: string;
  /** Before the market opens or after it closes; `null` where it is not known. */
  when: 'bmo' | 'amc' | null;
  eps_estimate: number | null;
  /** The date is a guess and not yet announced. */
  estimated: boolean;
}

/** A news article; text holds no markup, `url` is http or https. */
export interface Article {
  title: string;
  summary: string;
  url: string;
  /** The publisher's name. */
  source: string;
  /** ISO 8601, UTC. */
  published_at: string;
  /** The asked-for symbols that it is about. */
  symbols: string[];
  /** True for the simulator's articles. */
  sample: boolean;
}

/** Who a symbol is. `currency` is as declared. */
export interface Listing {
  symbol: string;
  name: string | null;
  exchange: string | null;
  assetType: AssetType;
  currency: string | null;
  /** Where the provider has its logo, or a path of ours; `null` where it has none or the question does not tell. */
  logo: string | null;
  /** In `currency` itself (pounds, never pence); left out where the question does not tell. */
  marketCap?: number | null;
  /** Left out where the question does not tell. */
  isin?: string | null;
  /** Net assets of a fund in `currency`, for ranking; left out where the question does not tell. */
  fundAssets?: number | null;
}

/** A split of `numerator` new shares for `denominator` old ones. */
export interface Split {
  date: string;
  numerator: number;
  denominator: number;
}

export type MarketSession = 'pre' | 'open' | 'post' | 'closed';

/** Why there is no answer. */
export type ProviderError =
  | { ok: false; reason: 'rate_limited'; retryAfter: number | null }
  /** The plan covers this for no symbol. `retryAfter` (seconds): a provider that refused lately was left out. */
  | { ok: false; reason: 'not_entitled'; retryAfter?: number }
  /** The provider knows no such symbol, or the plan of the key does not cover this one. */
  | { ok: false; reason: 'unknown' }
  /** It is something that cannot be followed here: a coin, a currency pair, a future. */
  | { ok: false; reason: 'unsupported' }
  /** Our own budget for this kind of call is spent. */
  | { ok: false; reason: 'budget' }
  | { ok: false; reason: 'upstream'; detail: string };

/** `rest`: what ended the questions before all were asked; then what is absent may only not have been asked for. */
export type ProviderResult<T> = { ok: true; value: T; stoppedBy?: ProviderError } | ProviderError;

/** The answer with its value changed; a refusal and the `rest` stay. */
export const mapResult = <T, U>(result: ProviderResult<T>, transform: (value: T) => U): ProviderResult<U> =>
  result.ok ? { ...result, value: transform(result.value) } : result;

/**
 * What a call is for, which tells how much of the budget it may use up. `listing`: a small question about one listing
 * (who it is, its first price, its splits); `backfill`: a history; `background`: search, reports and news.
 */
export type CallPriority = 'quotes' | 'listing' | 'backfill' | 'background';

/** Takes one call from the provider's budget; false: it is spent for calls of this class. */
export type TryAcquire = (priority: CallPriority) => Promise<boolean>;

export interface DateRange {
  /** YYYY-MM-DD, inclusive. */
  from: string;
  to: string;
}

/** Makes a provider that spends from a budget; without `spend` every call is free. */
export type CreateProvider = (options: { now: () => Date; tryAcquire?: TryAcquire }) => MarketDataProvider;

/** One source of market data. No method throws; each heeds the signal. Symbols are ours (BRK.B). */
export interface MarketDataProvider {
  readonly id: string;
  readonly capabilities: ReadonlySet<Capability>;
  /** Symbols that one call to `quotes` should hold at most. */
  readonly maxQuotesPerCall: number;
  /** Symbols that one call to `news` should be about at most. */
  readonly maxNewsSymbols: number;
  /** Whether `earnings` can be asked for all companies at once. */
  readonly supportsMarketWideEarnings: boolean;
  /** Whether its reports say if they come before the market opens or after it closes. */
  readonly hasReportHours: boolean;
  /** Where its logos may be fetched from. */
  readonly logoOrigins: readonly string[];
  /** What an empty catalog begins with, by symbol; empty where the catalog grows with the symbols that members use. */
  readonly seedListings: ReadonlyMap<string, Listing>;
  /** The SVG of a logo that it draws itself; `undefined` where logos are fetched from their addresses. */
  renderLogo(symbol: string): string | undefined;
  /** Prices of known symbols; with a `rest`, `null` stands for unknown ones asked before it (`use`: 'quotes'). */
  quotes(
    symbols: readonly string[],
    signal: AbortSignal,
    priority?: CallPriority,
  ): Promise<ProviderResult<Map<string, Quote | null>>>;
  /** Ascending, closed days only, `from` and `to` inclusive. */
  dailyCandles(symbol: string, range: DateRange, signal: AbortSignal): Promise<ProviderResult<Candle[]>>;
  /** Ascending by date. */
  earnings(
    symbols: readonly string[] | 'all',
    range: DateRange,
    signal: AbortSignal,
  ): Promise<ProviderResult<ReportDate[]>>;
  /** Newest first. */
  news(symbols: readonly string[], limit: number, signal: AbortSignal): Promise<ProviderResult<Article[]>>;
  search(query: string, limit: number, signal: AbortSignal): Promise<ProviderResult<Listing[]>>;
  /** `use`: what the call is for (default 'listing'). */
  lookup(symbol: string, signal: AbortSignal, priority?: CallPriority): Promise<ProviderResult<Listing>>;
  /** The symbol of the share or fund that has an ISIN; absent where the provider cannot tell. */
  findSymbolByIsin?(isin: string, signal: AbortSignal): Promise<ProviderResult<string>>;
  splits(symbol: string, range: DateRange, signal: AbortSignal): Promise<ProviderResult<Split[]>>;
  status(signal: AbortSignal): Promise<ProviderResult<MarketSession>>;
}
