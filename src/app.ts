import type { Logger } from 'pino';
import type { Config } from './config/load-config.ts';
import {
  allowsSandbox,
  assistantSettings,
  connectionKeysOf,
  demoOperatorTokenOf,
  identitySettings,
  marketProviders,
  type MarketUrls,
  outboxOf,
  plaidSettings,
  revenueTokenOf,
  snaptradeSettings,
  stripeSettings,
} from './config/provider-settings.ts';
import { createEmbeddedBank } from './embedded/bank/embedded-bank.ts';
import { createEmbeddedBrokerage } from './embedded/brokerage/embedded-brokerage.ts';
import { createKeptIdentityData } from './embedded/identity/kept-data.ts';
import { createEmbeddedProvider } from './embedded/identity/provider.ts';
import { findSpecialAccounts } from './embedded/identity/seed-people.ts';
import { createSimulator } from './embedded/market-data/simulator.ts';
import { createEmbeddedPayments } from './embedded/payments/embedded-payments.ts';
import { createAssistant } from './features/assistant/assistant.ts';
import { createBilling } from './features/billing/billing.ts';
import { createConnections } from './features/connections/connections.ts';
import { createDemoAccess } from './features/demo-access/demo-access.ts';
import { createDemoData, createResetTime } from './features/demo-access/demo-data.ts';
import { entryPageUrl } from './features/demo-access/entry-page.ts';
import { judgeReadiness } from './features/demo-access/judge-readiness.ts';
import { createSessionGate } from './features/demo-access/session-gate.ts';
import { createDashboard } from './features/portfolio/dashboard/dashboard.ts';
import { createInvestments } from './features/portfolio/investments.ts';
import { createReferrals } from './features/referrals/referrals.ts';
import { createSearch } from './features/search/search.ts';
import { createTokenCounting } from './features/token-api/token-counting.ts';
import { createWatchlist } from './features/watchlist/watchlist.ts';
import { createFirstRunData } from './first-run-data.ts';
import type { ServiceSecrets } from './local-secrets.ts';
import { createMarketData } from './market-data/market-data.ts';
import { limitLookUps, LOOK_UPS_A_MINUTE } from './market-data/services/catalog/lookup-rate-limit.ts';
import { createAnalytics } from './platform/analytics/analytics.ts';
import { createBrowserEvents } from './platform/analytics/routes.ts';
import type { Database } from './platform/database/connect.ts';
import { pendingMigrations } from './platform/database/migrate.ts';
import { withPoolMetrics } from './platform/database/pool-metrics.ts';
import { createFeatureFlags } from './platform/feature-flags/feature-flags.ts';
import type { HttpApp } from './platform/http/app-type.ts';
import { addHealthRoutes } from './platform/http/health.ts';
import { addMetricsRoute } from './platform/http/metrics-route.ts';
import { createMetrics, type RequestMetrics } from './platform/http/metrics.ts';
import { createHttpServer } from './platform/http/server.ts';
import { createSharedLimits } from './platform/http/shared-limits.ts';
import type { Siblings } from './platform/http/siblings.ts';
import { readWebApp } from './platform/http/web-app.ts';
import { createHostedProvider } from './platform/identity/hosted-provider.ts';
import { createIdentity } from './platform/identity/identity.ts';
import { memberAccess } from './platform/identity/member-access.ts';
import { createProviderEvents } from './platform/identity/webhook-routes.ts';
import { createJobs } from './platform/jobs/jobs.ts';
import { type Running, runSlices } from './run-slices.ts';
import type { Slice } from './slice.ts';
import { pagesOf, pagesWithPart } from './ui/shell/page-paths.ts';

export interface AppDependencies {
  config: Config;
  secrets: ServiceSecrets;
  database: Database;
  logger: Logger;
  /** The address that people and the identity provider use. */
  baseUrl: string;
  /** Folder of the built web app; without it the API runs alone. */
  webRoot?: string | undefined;
  siblings?: Siblings | undefined;
  marketUrls?: MarketUrls | undefined;
}

interface App extends Running {
  http: HttpApp;
  metrics: RequestMetrics;
}

/** Creates every feature below those that it is handed to, and hands over the functions through which they meet. */
export async function createSlices(deps: AppDependencies) {
  const { config, secrets, database, logger, baseUrl, webRoot, siblings } = deps;
  const sql = database.service;

  const metrics = withPoolMetrics(createMetrics(siblings), database);
  const jobs = createJobs(database, { registry: metrics.registry, logger });
  const limits = createSharedLimits(config.REDIS_URL, logger, { registry: metrics.registry });
  const limiterOf = limits.limiter;

  const gate = createSessionGate({ sql, strict: config.DEMO_ACCESS_STRICT });
  const idp = identitySettings(config, secrets);
  const identityProvider = idp.hosted
    ? createHostedProvider({
        apiUrl: idp.hosted.apiUrl,
        frontendApiUrl: idp.hosted.frontendApiUrl,
        secretKey: idp.secretKey,
        webhookSecret: idp.webhookSecret,
        accounts: idp.accounts,
        logger,
      })
    : createEmbeddedProvider({
        sql,
        baseUrl,
        secretKey: idp.secretKey,
        webhookSecret: idp.webhookSecret,
        accounts: await findSpecialAccounts(sql, idp.accounts),
        logger,
        limiterOf,
      });
  const keptIdentityData = createKeptIdentityData(sql);
  const identity = createIdentity({
    database,
    provider: identityProvider,
    baseUrl,
    publishableKey: idp.publishableKey,
    sessionGate: gate.admits,
    demoResetTimeOf: createResetTime(sql, config.DEMO_ACCESS_RESET),
    requestsPerMinute: config.API_RATE_LIMIT,
    limiterOf,
  });
  const { guards, accounts } = identity;

  const market = createMarketData({
    sql,
    optional: database.optional,
    shared: database.shared,
    jobs,
    logger,
    metrics,
    providers: marketProviders(config, deps.marketUrls),
    createEmbedded: createSimulator,
  });
  const lookUp = limitLookUps(undefined, limiterOf({ name: 'look-ups', limit: LOOK_UPS_A_MINUTE }));

  const eventService = outboxOf(config);
  const analytics = createAnalytics({
    sql,
    logger,
    metrics,
    accounts,
    service: eventService,
  });
  const flags = createFeatureFlags({
    sql,
    logger,
    service: eventService,
    mayName: analytics.mayName,
  });

  const offersSandbox = allowsSandbox(config, baseUrl);
  const stripe = stripeSettings(config);
  const embeddedPayments = offersSandbox && !stripe ? createEmbeddedPayments({ sql, logger, baseUrl }) : undefined;
  const billing = createBilling({
    sql,
    logger,
    guards,
    limiterOf,
    selling: {
      baseUrl,
      captureIn: analytics.captureIn,
      provider: stripe ?? embeddedPayments?.client,
    },
    revenueToken: revenueTokenOf(config, secrets),
  });

  const tokenCounting = createTokenCounting({
    sql,
    logger,
    metrics,
    guards,
    rateLimits: config.TOKEN_COUNT_RATE_LIMITS,
    sharedLimits: config.REDIS_URL ? limits : undefined,
    fetchUrls: config.TOKEN_COUNT_FETCH_URLS,
    https: baseUrl.startsWith('https:'),
  });

  const investments = createInvestments({
    database,
    jobs,
    logger,
    market,
    lookUp,
    guards,
  });

  const demoAccess = createDemoAccess({
    sql,
    logger,
    metrics,
    guards,
    baseUrl,
    gate,
    webRoot,
    limiterOf,
    connectTo: identityProvider.connectTo,
    provider: identityProvider.client,
    accounts,
    isReady: judgeReadiness({
      accounts,
      isMember: identity.isMember,
      portfolioSizeOf: investments.portfolioSizeOf,
    }),
    operatorToken: demoOperatorTokenOf(config, secrets),
    requestsPerMinute: config.DEMO_ACCESS_RATE_LIMIT,
  });

  const watchlist = createWatchlist({
    database,
    logger,
    guards,
    market,
    lookUp,
    isOn: flags.isOn,
    tierOf: billing.tierOf,
    watchlistLimitOf: billing.watchlistLimitOf,
    positionsOf: investments.positionsOf,
    capture: analytics.capture,
    captureIn: analytics.captureIn,
  });

  const search = createSearch({
    guards,
    market,
    heldSymbols: investments.heldSymbols,
    watchedFor: watchlist.watchedFor,
  });

  const dashboard = createDashboard({
    sql,
    market,
    heldSymbols: investments.heldSymbols,
    watchedFor: watchlist.watchedFor,
    watchedSymbols: watchlist.watchedSymbols,
    isWatchlistOn: watchlist.isWatchlistOn,
    ...memberAccess(database, guards),
  });

  const referrals = createReferrals({
    sql,
    logger,
    metrics,
    jobs,
    guards,
    baseUrl,
    limiterOf,
    accounts,
    provider: identityProvider.client,
    rateLimits: config.REFERRAL_RATE_LIMITS,
  });

  const connectionKeys = connectionKeysOf(config, secrets);
  const sandboxKey = offersSandbox ? connectionKeys?.current : undefined;
  const plaid = plaidSettings(config);
  const embeddedBank = sandboxKey && !plaid ? createEmbeddedBank({ sql, logger, baseUrl, key: sandboxKey }) : undefined;
  const snaptrade = snaptradeSettings(config);
  const embeddedBrokerage =
    sandboxKey && !snaptrade ? createEmbeddedBrokerage({ sql, logger, baseUrl, key: sandboxKey }) : undefined;
  const connections = createConnections({
    database,
    logger,
    jobs,
    metrics,
    guards,
    baseUrl,
    portfolios: investments,
    async onConnected(tx, idpId, made) {
      await referrals.onFirstConnection(tx, { idpId, ...made });
    },
    settings: {
      keys: connectionKeys,
      bank: plaid ?? embeddedBank?.client,
      brokerage: snaptrade ?? embeddedBrokerage?.client,
    },
  });

  const assistant = createAssistant({
    database,
    logger,
    guards,
    baseUrl,
    limiterOf,
    count: tokenCounting.countRequest,
    ...assistantSettings(config),
    facts: {
      watchlist,
      portfolios: investments,
      dashboard,
      sessionNow: market.status,
    },
  });

  const browserEvents = createBrowserEvents({
    sql,
    guards,
    record: analytics.record,
    knownOf: watchlist.knownOf,
    judge: watchlist.judge,
    isPlausible: watchlist.isPlausible,
  });

  const owners: readonly Slice[] = [
    flags,
    identity,
    keptIdentityData,
    market,
    analytics,
    billing,
    tokenCounting,
    investments,
    demoAccess,
    watchlist,
    search,
    dashboard,
    referrals,
    connections,
    assistant,
    browserEvents,
  ];
  const demoData = createDemoData({
    sql,
    owners,
    logger,
    accounts,
    resetAt: config.DEMO_ACCESS_RESET,
  });
  const providerEvents = createProviderEvents({
    sql,
    secret: idp.webhookSecret,
    owners,
    hooks: {
      onSessionEvent: demoAccess.onSessionEvent,
      onUserCreated: referrals.onUserCreated,
    },
  });
  const firstRunData = createFirstRunData({
    sql,
    jobs,
    logger,
    owners,
    source: market.source,
  });

  const embedded = [embeddedPayments, embeddedBank, embeddedBrokerage].filter((slice) => slice !== undefined);
  const list: readonly Slice[] = [limits, ...embedded, ...owners, providerEvents, demoData, firstRunData];
  return {
    list,
    metrics,
    jobs,
    identity,
    market,
    tokenCounting,
    demoData,
    referrals: referrals.context,
    connections,
  };
}

/** Long enough for a proxy that asks /readyz twice a second. */
const DRAIN_MS = 2_000;
/** In which a whole request must arrive. */
const REQUEST_TIMEOUT_MS = 60_000;

/** The whole application, ready to listen. */
export async function createApp(deps: AppDependencies): Promise<App> {
  const { config, database, logger, baseUrl } = deps;
  const { list, identity, jobs, metrics, tokenCounting } = await createSlices(deps);
  const { connectTo, frontendApiUrl } = identity.provider;
  const pages = pagesOf({ hasRevenue: revenueTokenOf(config, deps.secrets) !== undefined });
  const web = await readWebApp({ root: deps.webRoot, pages, pagesWithPart, frontendApiUrl });
  const { http, addPageHooks } = createHttpServer({
    logger,
    metrics,
    connectTo,
    trustedProxies: config.TRUSTED_PROXIES,
    bodyLimit: 256 * 1024,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Behind a proxy, which learns from /readyz that this server stops.
    drain: config.TRUSTED_PROXIES.length > 0 ? DRAIN_MS : 0,
    https: baseUrl.startsWith('https:'),
    rewriteUrl: entryPageUrl,
    notFoundPage: web?.notFoundPage,
  });
  await http.register(async (scope: HttpApp) => tokenCounting.registerV1(scope), { prefix: '/v1' });
  await http.register(async (scope: HttpApp) => {
    await addPageHooks(scope);
    addHealthRoutes(scope, [
      { name: 'database', ok: () => database.ping() },
      { name: 'migrations', ok: async () => (await pendingMigrations(database.service)).length === 0 },
      { name: 'queue', ok: () => jobs.queueReady() },
      { name: 'disk', ok: async () => database.hasRoom() },
    ]);
    addMetricsRoute(scope, metrics, config.METRICS_TOKEN);
    for (const slice of list) await slice.register?.(scope);
    await web?.register(scope);
  });
  const { startBackground, close } = runSlices(list, { http, jobs, logger, worker: config.WORKER });
  return { http, metrics, startBackground, close };
}
