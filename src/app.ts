import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { createAnalytics } from './analytics/analytics.ts';
import { createBilling } from './billing/billing.ts';
import type { Config } from './config.ts';
import type { Database } from './database/connect.ts';
import { pendingMigrations } from './database/migrate.ts';
import { createDashboard } from './dashboard/dashboard.ts';
import { createFeatureFlags } from './feature-flags/feature-flags.ts';
import type { HttpApp } from './http/app-type.ts';
import { addHealthRoutes } from './http/health.ts';
import { limitPerMember } from './http/member-limit.ts';
import { addMetricsRoute } from './http/metrics-route.ts';
import type { RequestMetrics } from './http/metrics.ts';
import { createMetrics } from './http/metrics.ts';
import { addPublicSettingsRoute } from './http/public-settings-route.ts';
import { createHttpApp } from './http/server.ts';
import { addWebApp } from './http/web-app.ts';
import type { WebhookDelivery } from './identity/embedded-provider/deliver-webhooks.ts';
import { BASE_PATH } from './identity/embedded-provider/provider.ts';
import { createGuards } from './identity/guards.ts';
import { createIdentity, registerIdentityRoutes } from './identity/identity.ts';
import { memberAccess } from './identity/member-access.ts';
import { findSeededAccounts, seedPeople } from './identity/seed-people.ts';
import { identitySchedules, identityTasks } from './identity/tidy-identity.ts';
import { createInvestments } from './investments/investments.ts';
import { createJobs } from './jobs/jobs.ts';
import type { LocalSecrets } from './local-secrets.ts';
import { limitLookUps } from './market-data/catalog/limit-look-ups.ts';
import { createMarketData } from './market-data/market-data.ts';
import { createSearch } from './search/search.ts';
import { seedApiKey } from './token-counting/seed-api-key.ts';
import { createTokenCounting } from './token-counting/token-counting.ts';
import { createWatchlist } from './watchlist/watchlist.ts';
import { pagePaths } from './web/page-paths.ts';

export interface AppDependencies {
  config: Config;
  secrets: LocalSecrets;
  database: Database;
  logger: Logger;
  /** The address that people and the identity provider use. */
  baseUrl: string;
  /** Folder of the built web app; without it the API runs alone. */
  webRoot?: string | undefined;
}

export type Slices = ReturnType<typeof createSlices>;

export interface App {
  http: HttpApp;
  metrics: RequestMetrics;
  slices: Slices;
  /** What runs beside requests, begun once the service listens on `localUrl`; ended by `close`. */
  startBackground(localUrl: string): Promise<void>;
  close(): Promise<void>;
}

/** Makes the rooms and slices and hands over the functions through which they meet. A list: what happens stands in the slices. */
export function createSlices({ config, secrets, database, logger, baseUrl }: AppDependencies) {
  const sql = database.service;
  const metrics = createMetrics();
  const jobs = createJobs(database);
  const flags = createFeatureFlags({ sql, logger });
  const billing = createBilling({ sql, logger });
  const identity = createIdentity({
    database,
    baseUrl,
    secretKey: config.IDP_SECRET_KEY ?? secrets.idp_secret_key,
    webhookSecret: config.IDP_WEBHOOK_SECRET ?? (config.IDP_API_URL ? undefined : secrets.idp_webhook_secret),
    publishableKey: config.IDP_PUBLISHABLE_KEY ?? secrets.idp_publishable_key,
    hosted: config.IDP_API_URL
      ? { apiUrl: config.IDP_API_URL, frontendApiUrl: config.IDP_FRONTEND_API_URL! }
      : undefined,
    accounts: { demoAccountId: config.DEMO_ACCOUNT_IDP_USER_ID, sampleUserId: undefined },
  });
  const guards = createGuards(limitPerMember(identity.requireMember, config.API_RATE_LIMIT));
  const analytics = createAnalytics({
    ...{ sql, logger, guards },
    service: config.POSTHOG_API_KEY ? { apiKey: config.POSTHOG_API_KEY, host: config.POSTHOG_URL } : undefined,
    knownOf: (member, events) => watchlist.knownOf(member, events),
  });
  const market = createMarketData({
    sql,
    optional: database.optional,
    jobs,
    logger,
    providers: {
      fmp: config.FMP_API_KEY
        ? {
            key: config.FMP_API_KEY,
            baseUrl: config.FMP_BASE_URL,
            callsPerMinute: config.FMP_CALLS_PER_MINUTE,
            callsPerDay: config.FMP_CALLS_PER_DAY,
          }
        : undefined,
      finnhub: config.FINNHUB_API_KEY
        ? {
            key: config.FINNHUB_API_KEY,
            baseUrl: config.FINNHUB_BASE_URL,
            callsPerMinute: config.FINNHUB_CALLS_PER_MINUTE,
            callsPerDay: config.FINNHUB_CALLS_PER_DAY,
          }
        : undefined,
    },
    metrics,
  });
  const lookUp = limitLookUps();
  const watchlist = createWatchlist({
    database,
    logger,
    guards,
    isOn: flags.isOn,
    tierOf: billing.tierOf,
    watchlistLimitOf: billing.watchlistLimitOf,
    market,
    lookUp,
    positionsOf: (member, symbol) => investments.positionsOf(member, symbol),
    capture: analytics.capture,
  });
  const investments = createInvestments({
    database,
    jobs,
    logger,
    market,
    registerFor: (idpId, symbol) => lookUp(idpId, symbol, (stranger) => market.registerSymbol(stranger)),
    guards,
  });
  const { heldSymbols } = investments;
  const { watchedFor, isWatchlistOn } = watchlist;
  const search = createSearch({ guards, market, heldSymbols, watchedFor });
  const dashboard = createDashboard({
    ...{ sql, market, heldSymbols, watchedFor, isWatchlistOn },
    ...memberAccess(database, guards),
    now: () => new Date(),
  });
  const tokenCounting = createTokenCounting({
    sql,
    rateLimits: config.TOKEN_COUNT_RATE_LIMITS,
    redisUrl: config.REDIS_URL,
    workers: config.TOKEN_COUNT_WORKERS,
    fetchUrls: config.TOKEN_COUNT_FETCH_URLS,
    https: baseUrl.startsWith('https:'),
    logger,
    metrics,
    guards,
  });
  return {
    ...{
      metrics,
      jobs,
      identity,
      guards,
      billing,
      market,
      analytics,
      watchlist,
      investments,
      search,
      dashboard,
      tokenCounting,
    },
    /** Who keeps rows of members, each above what it stands on. */
    owners: [flags, analytics, billing, tokenCounting, investments, watchlist, dashboard],
    tasks: { ...identityTasks(sql), ...market.tasks, ...investments.tasks, ...analytics.tasks },
    schedules: [...identitySchedules, ...market.schedules, ...investments.schedules, ...analytics.schedules],
    /** Finds the accounts with special rules again; the settings have the last word on the demo account. */
    async knowSeededAccounts(): Promise<void> {
      if (!identity.embedded) return;
      const seeded = await findSeededAccounts(sql);
      identity.accounts.sampleUserId = seeded.sampleUserId;
      identity.accounts.demoAccountId ??= seeded.demoAccountId;
    },
    /** Each slice's part of the first run, in the order of what needs what. Safe to repeat. */
    async seed() {
      const people = await seedPeople(sql);
      await Promise.all([flags.seed(), billing.seed(people.members), market.seed()]);
      await Promise.all([
        watchlist.seed(people.members),
        investments.seed([
          ...people.members.map((member) => member.idp_user_id),
          people.sampleUserIdpUserId,
          people.demoAccountIdpUserId,
        ]),
      ]);
      return { people, apiKey: await seedApiKey(sql) };
    },
    async close(): Promise<void> {
      await Promise.all([watchlist.close(), tokenCounting.close()]);
      await analytics.close();
    },
  };
}

/** The whole application, ready to listen. */
export async function createApp(deps: AppDependencies): Promise<App> {
  const { config, secrets, database, logger, baseUrl } = deps;
  const slices = createSlices(deps);
  const { identity, jobs, market, metrics } = slices;
  const background = new AsyncDisposableStack();
  background.defer(() => slices.close());

  let notFoundPage: ((reply: FastifyReply) => FastifyReply) | undefined;
  const http = await createHttpApp({
    logger,
    metrics,
    trustedProxies: config.TRUSTED_PROXIES,
    bodyLimit: 256 * 1024,
    requestTimeout: config.REQUEST_TIMEOUT_SECONDS * 1000,
    https: baseUrl.startsWith('https:'),
    connectTo: identity.embedded ? undefined : new URL(identity.frontendApiUrl).origin,
    fastPath: slices.tokenCounting.fastPath,
    notFoundPage: () => notFoundPage,
  });
  addHealthRoutes(http, [
    { name: 'database', ok: () => database.ping() },
    { name: 'migrations', ok: async () => (await pendingMigrations(database.service)).length === 0 },
    { name: 'queue', ok: () => jobs.queueReady() },
  ]);
  addMetricsRoute(http, metrics, config.METRICS_TOKEN);
  const frontendApiUrl = identity.embedded ? BASE_PATH : identity.frontendApiUrl;
  addPublicSettingsRoute(http, {
    base_url: baseUrl,
    frontend_api_url: frontendApiUrl,
    publishable_key: config.IDP_PUBLISHABLE_KEY ?? secrets.idp_publishable_key,
  });
  await registerIdentityRoutes(http, identity, { guards: slices.guards, owners: slices.owners });
  await slices.tokenCounting.register(http);
  await slices.watchlist.register(http);
  slices.investments.register(http);
  slices.search.register(http);
  slices.dashboard.register(http);
  slices.billing.register(http, { guards: slices.guards });
  slices.analytics.register(http);
  await market.register(http);
  if (deps.webRoot !== undefined && existsSync(join(deps.webRoot, 'index.html'))) {
    notFoundPage = await addWebApp(http, {
      root: deps.webRoot,
      pages: pagePaths,
      // Asked with the credentials that the page sends, or it would be asked twice.
      link: `<${frontendApiUrl.replace(/\/$/, '')}/v1/client>; rel=preload; as=fetch; crossorigin=use-credentials`,
    });
  }

  let delivery: WebhookDelivery | undefined;
  return {
    http,
    metrics,
    slices,
    async startBackground(localUrl) {
      const { webhookSecret } = identity.options;
      if (identity.embedded && webhookSecret) {
        delivery = identity.embedded.startWebhookDelivery({
          secret: webhookSecret,
          receiverUrl: `${localUrl}/api/webhooks/identity`,
          warn: (details, message) => logger.warn(details, message),
        });
      }
      void slices.tokenCounting.warmUp();
      await catchUp(slices, logger);
      if (config.WORKER) {
        const worker = await startWorkerOf(slices, logger);
        background.defer(() => worker.stop());
      }
    },
    async close() {
      // First: a delivery to ourselves that meets a closed door would count as failed.
      await delivery?.stop();
      await http.close();
      await background.disposeAsync();
    },
  };
}

/** Asks for what came due while nothing ran. Where that fails the service starts all the same: the schedules bring it later. */
export async function catchUp({ market }: Slices, logger: Logger): Promise<void> {
  await market
    .catchUp()
    .catch((err: unknown) =>
      logger.warn({ err }, 'prices and closes that came due while nothing ran could not be asked for at the start'),
    );
}

/** Does the jobs of every slice, by the clock and as they come. */
export function startWorkerOf({ jobs, tasks, schedules }: Slices, logger: Logger) {
  return jobs.startWorker(tasks, {
    schedule: schedules,
    log: (level, message, details) => logger[level](details ?? {}, message),
  });
}
