import type { Logger } from 'pino';
import type { ServiceSql } from '../platform/database/roles.ts';
import type { RequestMetrics } from '../platform/http/metrics.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Schedule, Task } from '../platform/jobs/task.ts';
import { createDistributedSingleFlight } from './providers/single-flight/distributed-single-flight.ts';
import { withTtlCache } from './providers/single-flight/ttl-cache.ts';
import { createProviderChain } from './providers/chain/provider-chain.ts';
import { deleteUnusedBonds, hasTickers } from './services/catalog/catalog-queries.ts';
import { createProfileChecks, profileSchedule } from './check-profiles.ts';
import { createDividends } from './services/dividends/refresh-dividends.ts';
import { createNews } from './services/news/list-news.ts';
import { createFundamentals } from './services/fundamentals/get-fundamentals.ts';
import { refreshEarnings } from './services/earnings/refresh-earnings.ts';
import { createReports } from './services/earnings/list-reports.ts';
import { marketCalendar } from './domain/market-calendar.ts';
import { createMarketJobs, marketSchedules, REFRESH, REFRESH_QUEUE } from './market-jobs.ts';
import { addMarketMetrics } from './market-metrics.ts';
import { addLogoRoutes } from './routes.ts';
import { createMarketStatus } from './services/market-status.ts';
import type { CreateProvider } from './domain/market-data-provider.ts';
import type { MarketDataService } from './services/market-data-service.ts';
import { deleteSampleData, hasOutdatedPrices } from './services/prices/price-queries.ts';
import { createProviderEntries, type ProviderSettings, readCallBudgets } from './providers/provider-entries.ts';
import type { EvaluatePrices } from './services/prices/written-prices.ts';
import { createLogos } from './services/logos/registry-logos.ts';
import { createRegistration } from './services/catalog/register-symbol.ts';
import { createSearch } from './services/catalog/search-catalog.ts';
import { seedCatalog } from './services/catalog/seed-catalog.ts';

interface MarketDataDependencies {
  sql: ServiceSql;
  /** Connections of reads, which a replica may serve (default `sql`). */
  reads?: ServiceSql;
  jobs: Pick<Jobs, 'add' | 'addAll'>;
  logger: Logger;
  providers: ProviderSettings;
  /** Creates the provider of sample data, used if no other provider has a key. */
  createEmbedded: CreateProvider;
  /** Registry for the metric of today's calls by provider. */
  metrics?: Pick<RequestMetrics, 'registry'> | undefined;
  /** Evaluates alerts by the stored prices (default: there are none). */
  evaluatePrices?: EvaluatePrices | undefined;
  /** Clock of sessions and prices, set by tests. */
  now?: () => Date;
}

/** Symbols that an empty watchlist offers. */
export const popularSymbols = ['AAPL', 'MSFT', 'NVDA', 'AMZN', 'GOOGL', 'VOO'] as const;

const FIRST_QUOTE_TIMEOUT_MS = 1_500;

const REFRESH_DIVIDENDS = 'refresh-dividends';
/** Every day after the earnings of held companies. */
const dividendSchedule: Schedule = { task: REFRESH_DIVIDENDS, match: '50 8 * * *', backfillMinutes: 720 };

/** Creates the market-data module. It opens no connection and runs nothing until its first call. */
export function createMarketData(deps: MarketDataDependencies): MarketDataService {
  const { sql, reads = sql, jobs, logger, now = () => new Date() } = deps;
  if (deps.metrics) addMarketMetrics(deps.metrics.registry, sql);
  const sources = createProviderEntries(sql, deps.providers, deps.createEmbedded, now);
  const primaryProvider = sources[0]!.provider;
  const simulated = primaryProvider.id === 'simulator';
  const providers = createProviderChain(sources, logger);
  const distributed = createDistributedSingleFlight(sql, (err) =>
    logger.warn({ err }, 'single-flight coordination failed; calling the provider directly'),
  );
  // Calls of the simulator are free, so each process calls it directly.
  const createCachedSingleFlight = (maxEntries: number) =>
    withTtlCache(Date.now, simulated ? undefined : distributed, maxEntries);
  const singleFlight = createCachedSingleFlight(2_000);
  const context = { sql, providers, logger, now, simulated, singleFlight };
  const market = createMarketJobs({ ...context, jobs, popular: popularSymbols, evaluatePrices: deps.evaluatePrices });
  const checkProfiles = createProfileChecks({
    ...context,
    jobs,
    popular: popularSymbols,
    registrationProviderId: primaryProvider.id,
    refresh: (symbol) => market.refreshNow([symbol]),
  });
  // A separate cache: searches of members must not evict the look-ups of an import preview.
  const search = createSearch({ ...context, sql: reads, singleFlight: createCachedSingleFlight(500) });
  const registration = createRegistration(context);
  const origins = new Set(sources.flatMap(({ provider }) => provider.logoOrigins));
  const logos = createLogos({ ...context, reads, origins, renderLogo: primaryProvider.renderLogo });
  const reports = createReports({ ...context, reads });
  const dividends = createDividends(context);
  const refreshDividends: Task<unknown> = (_, { signal }) => dividends.refresh(signal);

  const seed = async (): Promise<void> => {
    const createdCount = await seedCatalog(sql, primaryProvider, now());
    if (createdCount === 0) return;
    const symbols = [...primaryProvider.seedListings.keys()];
    const today = marketCalendar.toNewYorkDate(now());
    // Fetch reports too, so that the first page shows upcoming reports before earnings were requested.
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
      // Fetch the first price of a new row immediately if the provider is fast. Otherwise the feed fetches it.
      if (registered.isNew)
        await market
          .refreshNow([registered.ticker.symbol], { signal: AbortSignal.timeout(FIRST_QUOTE_TIMEOUT_MS) })
          .catch(() => {});
      return { ok: true, ticker: registered.ticker };
    },
    lookUpSymbol: registration.lookUp,
    lookUpTicker: registration.lookUpTicker,
    search: (query, limit) => search(query, Math.max(1, Math.min(limit, 100))),
    requestBackfill: market.requestBackfill,
    earnings: reports.earnings,
    refreshEarnings: (companies) => refreshEarnings({ sql, fetch: reports.fetch, now }, companies),
    nextReports: reports.nextReports,
    dividends: dividends.read,
    refreshDividends: () => dividends.refresh(new AbortController().signal),
    async requestDividends() {
      await jobs.add(REFRESH_DIVIDENDS, {}, { key: REFRESH_DIVIDENDS });
    },
    news: createNews(context),
    fundamentals: createFundamentals(context),
    tasks: {
      ...market.tasks,
      [REFRESH_DIVIDENDS]: refreshDividends,
      [profileSchedule.task]: simulated ? async () => {} : checkProfiles,
    },
    schedules: [...marketSchedules, dividendSchedule, ...(simulated ? [] : [profileSchedule])],
    seed,
    async enqueueOverdueJobs() {
      if (!simulated && (await deleteSampleData(sql, 'all')) > 0)
        logger.warn('sample prices deleted because a market-data provider is configured');
      if (!simulated && providers.available('bonds').length === 0) await deleteUnusedBonds(sql);
      // An external database has no first run, and an empty catalog would return no search results.
      if (simulated && !(await hasTickers(sql))) await seed();
      const lastDay = marketCalendar.getLastClosedDay(now());
      await market.repairHistories(marketCalendar.addMarketDays(lastDay, -1));
      if (!(await hasOutdatedPrices(sql, popularSymbols, marketCalendar.getTradingHours(lastDay)!.close))) return;
      // Refresh each listing once after its price was due. Funds, foreign shares and unpriced listings may keep an
      // older price.
      const since = new Date(Math.min(getLastPricesDueAt(lastDay, now()), now().getTime())).toISOString();
      await jobs.add(REFRESH, { always: true, since }, { key: 'market-catch-up', queue: REFRESH_QUEUE });
    },
    refreshNow: market.refreshNow,
    backfillNow: market.backfillNow,
    readCallBudgets: () => readCallBudgets(sql, sources),
    register: async (app) => addLogoRoutes(app, logos),
  };
}

/**
 * Returns when the last prices of a closed day were due: 15 minutes after the close, or in the evening with the funds.
 */
function getLastPricesDueAt(day: string, instant: Date): number {
  const evening = Date.parse(`${day}T00:45:00Z`) + 86_400_000;
  return instant.getTime() >= evening ? evening : marketCalendar.getTradingHours(day)!.close.getTime() + 15 * 60_000;
}
