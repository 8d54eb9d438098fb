import type { CallBudget } from '../providers/provider-entries.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import type { Schedule, Tasks } from '../../platform/jobs/task.ts';
import type { Feature } from '../../feature.ts';
import type { MarketCalendar } from '../domain/market-calendar.ts';
import type { Article, DateRange, Fundamentals } from '../domain/market-data-provider.ts';
import type { TickerRow } from './catalog/catalog-queries.ts';
import type { Registration, RegistrationFailure } from './catalog/register-symbol.ts';
import type { CatalogSearchResult } from './catalog/search-catalog.ts';
import type { StoredDividends } from './dividends/dividend-queries.ts';
import type { refreshEarnings } from './earnings/refresh-earnings.ts';
import type { ReportsResult, NextReport } from './earnings/list-reports.ts';
import type { BackfillOutcome } from './history/backfill-history.ts';
import type { MarketStatus } from './market-status.ts';
import type { RefreshOptions, RefreshResult } from './prices/refresh-prices.ts';

/** One search result: a listing of the catalog. */
export type SearchHit = TickerRow;

/**
 * Market data for the features: catalog, quotes, history, reports, news. Methods do not throw if a provider is
 * unavailable.
 */
export interface MarketDataService extends Feature {
  readonly calendar: MarketCalendar;
  /** 'simulator', or the providers in failover order ('fmp+finnhub'). */
  readonly source: string;
  /**
   * Returns the current US session, cached for one minute, or null if unknown. Never throws and never waits for a
   * provider.
   */
  status(): Promise<MarketStatus | null>;
  /**
   * Creates the catalog row if it is missing. A coin is `unsupported`, an invalid symbol `unknown`, a provider failure
   * `unavailable`.
   */
  registerSymbol(symbol: string): Promise<Registration>;
  /**
   * Returns the symbol of the row that `registerSymbol` would create. Creates none and caches the answer for ten
   * minutes.
   */
  lookUpSymbol(symbol: string): Promise<{ ok: true; symbol: string } | RegistrationFailure>;
  /** Returns the row that `registerSymbol` would create, in the same way as `lookUpSymbol`. */
  lookUpTicker(symbol: string): Promise<Registration>;
  /** Returns hits best first, and the minimum number of further matches. */
  search(query: string, limit: number): Promise<CatalogSearchResult>;
  /** Requests a year of candles if the symbol is new or its history thin. Concurrent requests share one job. */
  requestBackfill(symbol: string): Promise<void>;
  /**
   * Returns reports in the range by date, from the table or the cache, whichever was fetched later. `complete` is false
   * if reports may be missing: a provider failed, or exceeded the 8 s that a member waits. `untilDone` waits until the
   * end, at most about two minutes.
   */
  earnings(symbols: readonly string[], range: DateRange, options?: { untilDone?: boolean }): Promise<ReportsResult>;
  /** Writes the reports of these companies for the next 90 days into `public.earnings` (see `refreshEarnings`). */
  refreshEarnings(companies: readonly string[]): ReturnType<typeof refreshEarnings>;
  /** Returns the first report of each symbol from today on, consistent with `earnings`. Never calls a provider. */
  nextReports(symbols: readonly string[]): Promise<Map<string, NextReport>>;
  /** Returns the securities without bonds among these symbols with their stored dividends. Calls no provider. */
  dividends(symbols: readonly string[]): Promise<StoredDividends[]>;
  /** Fetches dividends of held and watched securities as the daily job does. */
  refreshDividends(): Promise<void>;
  /** Adds the daily job now, for securities whose dividends were never fetched. */
  requestDividends(): Promise<void>;
  /**
   * Returns news, newest first, cached for ten minutes, with a fair share for each list. Empty if no provider is
   * available.
   */
  news(lists: readonly (readonly string[])[], limit: number): Promise<Article[]>;
  /** Returns figures and description of a symbol, cached for a day, or undefined if no provider is available. */
  fundamentals(symbol: string): Promise<Fundamentals | undefined>;
  readonly tasks: Tasks;
  readonly schedules: readonly Schedule[];
  /** Fills an empty catalog with the provider's seed listings, their prices, next reports and familiar histories. */
  seed(): Promise<void>;
  /**
   * Enqueues jobs for overdue prices and closes at the start of the service or a worker. Safe to repeat and to run
   * concurrently.
   */
  enqueueOverdueJobs(): Promise<void>;
  /** Refreshes prices immediately, as the jobs do. Used by the command line. */
  refreshNow(symbols: readonly string[] | 'in use', options?: RefreshOptions): Promise<RefreshResult>;
  backfillNow(symbol: string, force: boolean): Promise<BackfillOutcome>;
  /** Returns the calls and limits of each provider, for the operator. */
  readCallBudgets(): Promise<CallBudget[]>;
  /** Adds `/api/logos/…`, the images that the `logo` field points at. */
  register(app: HttpApp): Promise<void>;
}
