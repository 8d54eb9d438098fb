import type { Logger } from 'pino';
import type { ServiceSql } from '../platform/database/roles.ts';
import type { HttpApp } from '../platform/http/app-type.ts';
import type { RequestMetrics } from '../platform/http/metrics.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Schedule, Tasks } from '../platform/jobs/task.ts';
import type { Slice } from '../slice.ts';
import { createAskOnce, rememberAnswers } from './budget/ask-once.ts';
import { createAsking } from './providers/ask-providers.ts';
import type { BackfillOutcome } from './history/backfill-history.ts';
import { dropUnusedBonds, hasTickers, type TickerRow } from './catalog/catalog-queries.ts';
import { createProfileChecks, profileSchedule } from './catalog/check-profiles.ts';
import { createNews } from './news/list-news.ts';
import { fillReports } from './reports/fill-reports.ts';
import { createReports, type FoundReports, type NextReport } from './reports/list-reports.ts';
import { marketCalendar, type MarketCalendar } from './calendar/market-calendar.ts';
import { createMarketJobs, marketSchedules, REFRESH, REFRESH_QUEUE } from './market-jobs.ts';
import { addMarketMetrics } from './market-metrics.ts';
import { addLogoRoutes } from './logos/logo-routes.ts';
import { createMarketStatus, type MarketStatus } from './calendar/market-status.ts';
import type { Article, CreateProvider, DateRange } from './providers/port.ts';
import { dropSampleData, pricesAreBehind } from './prices/price-queries.ts';
import { createSources, type ProviderSettings } from './providers/provider-sources.ts';
import type { RefreshOptions, RefreshResult } from './prices/refresh-prices.ts';
import { createLogos } from './logos/registry-logos.ts';
import { createRegistration, type Unregistered } from './catalog/register-symbol.ts';
import { createSearch, type Found } from './catalog/search-catalog.ts';
import { seedCatalog } from './catalog/seed-catalog.ts';

/** One result of a search: a listing of the catalog. */
export type Hit = TickerRow;

export type Registration = { ok: true; ticker: TickerRow } | Unregistered;

interface MarketDataDependencies {
  sql: ServiceSql;
  /** For reads that lists can go without (default `sql`). */
  optional?: ServiceSql;
  /** For reads that a replica may answer (default `sql`). */
  shared?: ServiceSql;
  jobs: Pick<Jobs, 'add' | 'addAll'>;
  logger: Logger;
  providers: ProviderSettings;
  /** Makes the provider of sample data, which answers where no other has a key. */
  createEmbedded: CreateProvider;
  /** Where the calls of today are shown, by provider. */
  metrics?: Pick<RequestMetrics, 'registry'> | undefined;
  /** The clock of sessions and prices; tests set it. */
  now?: () => Date;
}

/** Market data for the slices: catalog, quotes, history, reports, news. Nothing throws for an absent provider. */
export interface MarketDataRoom extends Slice {
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
  lookUpSymbol(symbol: string): Promise<{ ok: true; symbol: string } | Unregistered>;
  /** Best match first, and how many more match at least. */
  search(query: string, limit: number): Promise<Found>;
  /** Requests a year of candles where the symbol is new or its history thin; simultaneous requests share one job. */
  requestBackfill(symbol: string): Promise<void>;
  /**
   * Reports in the range, by date, of the table or the cache, whichever was fetched later; `complete: false` where a
   * provider could not be asked, or not in the 8 s that a member waits, and something may be missing. `untilDone` waits
   * to the end, about two minutes at most.
   */
  earnings(symbols: readonly string[], range: DateRange, options?: { untilDone?: boolean }): Promise<FoundReports>;
  /** Writes these companies' reports of the next 90 days into `public.earnings`; see `fillReports`. */
  fillReports(companies: readonly string[]): ReturnType<typeof fillReports>;
  /** Each symbol's first report from today on, the same that `earnings` gives; never calls a provider. */
  nextReports(symbols: readonly string[]): Promise<Map<string, NextReport>>;
  /** Newest first, cached for ten minutes, a fair share for each list. Empty where no provider can be asked. */
  news(lists: readonly (readonly string[])[], limit: number): Promise<Article[]>;
  readonly tasks: Tasks;
  readonly schedules: readonly Schedule[];
  /** Fills an empty catalog with the provider's first listings, their prices, next reports and familiar histories. */
  seed(): Promise<void>;
  /** Requests overdue prices and closes by job, at a start of the service or a worker. Safe to repeat and at once. */
  catchUp(): Promise<void>;
  /** For the command line: what the jobs do, at once. */
  refreshNow(symbols: readonly string[] | 'in use', options?: RefreshOptions): Promise<RefreshResult>;
  backfillNow(symbol: string, again: boolean): Promise<BackfillOutcome>;
  /** Adds `/api/logos/…`, the pictures that `logo` points at. */
  register(app: HttpApp): Promise<void>;
}

/** The six that an empty watchlist offers. */
export const popularSymbols = ['AAPL', 'MSFT', 'NVDA', 'AMZN', 'GOOGL', 'VOO'] as const;

const FIRST_QUOTE_MS = 1_500;

/** Wires the room. Nothing connects or runs before it is asked something. */
export function createMarketData(deps: MarketDataDependencies): MarketDataRoom {
  const { sql, shared = sql, jobs, logger, now = () => new Date() } = deps;
  if (deps.metrics) addMarketMetrics(deps.metrics.registry, sql);
  const sources = createSources(sql, deps.providers, deps.createEmbedded, now);
  const first = sources[0]!.provider;
  const simulated = first.id === 'simulator';
  const asking = createAsking(sources, logger);
  const askOnceOfAll = createAskOnce(sql, (err) =>
    logger.warn({ err }, 'a question to a provider could not be shared'),
  );
  // The simulator costs no calls, so that each process asks it.
  const remember = (most: number) => rememberAnswers(Date.now, simulated ? undefined : askOnceOfAll, most);
  const askOnce = remember(2_000);
  const context = { sql, asking, logger, now, simulated, askOnce };
  const market = createMarketJobs({ ...context, jobs, popular: popularSymbols });
  const checkProfiles = createProfileChecks({
    ...{ ...context, jobs, popular: popularSymbols },
    registrar: first.id,
    refresh: (symbol) => market.refreshNow([symbol]),
  });
  // Apart, so that what members type pushes out nothing that an import's preview looked up.
  const search = createSearch({ ...context, sql: shared, askOnce: remember(500) });
  const registration = createRegistration(context);
  const origins = new Set(sources.flatMap(({ provider }) => provider.logoOrigins));
  const logos = createLogos({ ...context, shared, origins, drawLogo: first.drawLogo });
  const reports = createReports({ ...context, optional: deps.optional ?? sql });

  const seed = async (): Promise<void> => {
    const made = await seedCatalog(sql, first, now());
    if (made === 0) return;
    const symbols = [...first.firstListings.keys()];
    const today = marketCalendar.newYorkDate(now());
    // Reports too, so that the first page shows upcoming reports before earnings were requested.
    await Promise.all([
      market.refreshNow(symbols),
      reports.earnings(symbols, { from: today, to: today }, { untilDone: true }),
    ]);
  };

  return {
    name: 'market-data',
    calendar: marketCalendar,
    source: sources.map(({ provider }) => provider.id).join('+'),
    status: createMarketStatus(context),
    async registerSymbol(symbol) {
      const registered = await registration.register(symbol);
      if (!registered.ok) return registered;
      // A new row gets its first price at once where the provider is quick; otherwise the feed brings it.
      if (registered.isNew)
        await market
          .refreshNow([registered.ticker.symbol], { signal: AbortSignal.timeout(FIRST_QUOTE_MS) })
          .catch(() => {});
      return { ok: true, ticker: registered.ticker };
    },
    lookUpSymbol: registration.lookUp,
    search: (query, limit) => search(query, Math.max(1, Math.min(limit, 100))),
    requestBackfill: market.requestBackfill,
    earnings: reports.earnings,
    fillReports: (companies) => fillReports({ sql, fetch: reports.fetch, now }, companies),
    nextReports: reports.nextReports,
    news: createNews(context),
    tasks: { ...market.tasks, [profileSchedule.task]: simulated ? async () => {} : checkProfiles },
    schedules: simulated ? marketSchedules : [...marketSchedules, profileSchedule],
    seed,
    async catchUp() {
      if (!simulated && (await dropSampleData(sql, 'all')) > 0)
        logger.warn('sample prices were removed: a market-data provider is configured now');
      if (!simulated && asking.able('bonds').length === 0) await dropUnusedBonds(sql);
      // A database of one's own has no first run, and its catalog nothing that a search could find.
      if (simulated && !(await hasTickers(sql))) await seed();
      const lastDay = marketCalendar.lastClosedDay(now());
      await market.mendHistories(marketCalendar.addMarketDays(lastDay, -1));
      if (!(await pricesAreBehind(sql, popularSymbols, marketCalendar.hoursOf(lastDay)!.close))) return;
      // Each once since its price of that day was due: funds, foreign shares and unpriced listings keep an older one.
      const since = new Date(Math.min(lastPricesDue(lastDay, now()), now().getTime())).toISOString();
      await jobs.add(REFRESH, { always: true, since }, { key: 'market-catch-up', queue: REFRESH_QUEUE });
    },
    refreshNow: market.refreshNow,
    backfillNow: market.backfillNow,
    register: async (app) => addLogoRoutes(app, logos),
  };
}

/** When a closed day's last prices were due: 15 minutes after the close, or in the evening with those of funds. */
function lastPricesDue(day: string, instant: Date): number {
  const evening = Date.parse(`${day}T00:45:00Z`) + 86_400_000;
  return instant.getTime() >= evening ? evening : marketCalendar.hoursOf(day)!.close.getTime() + 15 * 60_000;
}
