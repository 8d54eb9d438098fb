import type { HttpApp } from '../../platform/http/app-type.ts';
import type { Schedule, Tasks } from '../../platform/jobs/task.ts';
import type { Slice } from '../../slice.ts';
import type { MarketCalendar } from '../domain/market-calendar.ts';
import type { Article, DateRange } from '../domain/market-data-provider.ts';
import type { TickerRow } from './catalog/catalog-queries.ts';
import type { Registration, RegistrationFailure } from './catalog/register-symbol.ts';
import type { CatalogSearchResult } from './catalog/search-catalog.ts';
import type { refreshEarnings } from './earnings/refresh-earnings.ts';
import type { ReportsResult, NextReport } from './earnings/list-reports.ts';
import type { BackfillOutcome } from './history/backfill-history.ts';
import type { MarketStatus } from './market-status.ts';
import type { RefreshOptions, RefreshResult } from './prices/refresh-prices.ts';

/** One result of a search: a listing of the catalog. */
export type SearchHit = TickerRow;

/** Market data for the slices: catalog, quotes, history, reports, news. Nothing throws for an absent provider. */
export interface MarketDataService extends Slice {
  readonly calendar: MarketCalendar;
  /** 'simulator', or the providers in their order ('fmp+finnhub'). */
  readonly source: string;
  /**
   * The US session now, cached for one minute; `null` where it is unknown. Never throws, never waits for a provider.
   */
  status(): Promise<MarketStatus | null>;
  /** Makes the catalog row where it is missing. Coins: unsupported; no symbol: unknown; provider away: unavailable. */
  registerSymbol(symbol: string): Promise<Registration>;
  /** The symbol that `registerSymbol` would make a row of; makes none, and keeps the answer for ten minutes. */
  lookUpSymbol(symbol: string): Promise<{ ok: true; symbol: string } | RegistrationFailure>;
  /** Best match first, and how many more match at least. */
  search(query: string, limit: number): Promise<CatalogSearchResult>;
  /** Requests a year of candles where the symbol is new or its history thin; simultaneous requests share one job. */
  requestBackfill(symbol: string): Promise<void>;
  /**
   * Reports in the range, by date, of the table or the cache, whichever was fetched later; `complete: false` where a
   * provider could not be asked, or not in the 8 s that a member waits, and something may be missing. `untilDone` waits
   * to the end, about two minutes at most.
   */
  earnings(symbols: readonly string[], range: DateRange, options?: { untilDone?: boolean }): Promise<ReportsResult>;
  /** Writes these companies' reports of the next 90 days into `public.earnings`; see `refreshEarnings`. */
  refreshEarnings(companies: readonly string[]): ReturnType<typeof refreshEarnings>;
  /** Each symbol's first report from today on, the same that `earnings` gives; never calls a provider. */
  nextReports(symbols: readonly string[]): Promise<Map<string, NextReport>>;
  /** Newest first, cached for ten minutes, a fair share for each list. Empty where no provider can be asked. */
  news(lists: readonly (readonly string[])[], limit: number): Promise<Article[]>;
  readonly tasks: Tasks;
  readonly schedules: readonly Schedule[];
  /** Fills an empty catalog with the provider's first listings, their prices, next reports and familiar histories. */
  seed(): Promise<void>;
  /** Requests overdue prices and closes by job, at a start of the service or a worker. Safe to repeat and at once. */
  enqueueOverdueJobs(): Promise<void>;
  /** For the command line: what the jobs do, at once. */
  refreshNow(symbols: readonly string[] | 'in use', options?: RefreshOptions): Promise<RefreshResult>;
  backfillNow(symbol: string, force: boolean): Promise<BackfillOutcome>;
  /** Adds `/api/logos/…`, the pictures that `logo` points at. */
  register(app: HttpApp): Promise<void>;
}
