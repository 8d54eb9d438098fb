import type { App, AppDependencies } from './app-dependencies.ts';
import {
  isSandboxAllowed,
  getAssistantSettings,
  getConnectionKeys,
  getDemoOperatorToken,
  getEcbSettings,
  getIdentitySettings,
  getMailSettings,
  getMarketProviders,
  getAnalyticsSettings,
  getPlaidSettings,
  getRevenueToken,
  getSnaptradeSettings,
  getStripeSettings,
} from './config/provider-settings.ts';
import { createEmbeddedBank } from './embedded/bank/embedded-bank.ts';
import { createEmbeddedBrokerage } from './embedded/brokerage/embedded-brokerage.ts';
import { createStoredIdentityData } from './embedded/identity/stored-data.ts';
import { createEmbeddedProvider } from './embedded/identity/provider.ts';
import { findReservedAccounts } from './embedded/identity/seed-people.ts';
import { createSimulatedRates } from './embedded/market-data/simulated-rates.ts';
import { createSimulator } from './embedded/market-data/simulator.ts';
import { createEmbeddedPayments } from './embedded/payments/embedded-payments.ts';
import { listDatabaseChecks, listServiceChecks, runChecks } from './check-installation.ts';
import { createAssistant } from './features/assistant/assistant.ts';
import { readAssistantUse } from './features/assistant/conversations/queries.ts';
import { createBilling } from './features/billing/billing.ts';
import { selectTiers } from './features/billing/queries.ts';
import { createConnections } from './features/connections/connections.ts';
import { createDemoAccess } from './features/demo-access/demo-access.ts';
import { createDemoData, createResetTimeReader } from './features/demo-access/demo-data.ts';
import { rewriteEntryPageUrl } from './features/demo-access/entry-page.ts';
import { createReadinessCheck } from './features/demo-access/check-readiness.ts';
import { createSessionGate } from './features/demo-access/session-gate.ts';
import { createDashboard } from './features/portfolio/dashboard/dashboard.ts';
import { createInvestments } from './features/portfolio/investments.ts';
import { createOperator } from './features/operator/operator.ts';
import { createReferrals } from './features/referrals/referrals.ts';
import { createSearch } from './features/search/search.ts';
import { createSecurities } from './features/securities/securities.ts';
import { createSite } from './features/site/site.ts';
import { listApiKeys } from './features/token-api/queries.ts';
import { revokeApiKey } from './features/token-api/revoke-api-key.ts';
import { createTokenCounting } from './features/token-api/token-counting.ts';
import { createWatchlist } from './features/watchlist/watchlist.ts';
import { createFirstRunData } from './first-run-data.ts';
import { createMarketData } from './market-data/market-data.ts';
import { createEcbRates } from './market-data/providers/ecb/ecb.ts';
import { createExchangeRates } from './market-data/services/exchange-rates/exchange-rates.ts';
import { createLookupRateLimiter, MAX_LOOKUPS_PER_MINUTE } from './market-data/services/catalog/lookup-rate-limit.ts';
import { createAnalytics } from './platform/analytics/analytics.ts';
import { createBrowserEvents } from './platform/analytics/routes.ts';
import { withPoolMetrics } from './platform/database/pool-metrics.ts';
import { createFeatureFlags } from './platform/feature-flags/feature-flags.ts';
import type { HttpApp } from './platform/http/app-type.ts';
import { createMetrics } from './platform/http/metrics.ts';
import { createHttpServer } from './platform/http/server.ts';
import { createSharedRateLimits } from './platform/http/redis-rate-limiter.ts';
import { readWebApp } from './platform/http/web-app.ts';
import { createHostedProvider } from './platform/identity/hosted-provider.ts';
import { createIdentity } from './platform/identity/identity.ts';
import { createMemberManagement } from './platform/identity/manage-members.ts';
import { logOriginMismatches } from './platform/identity/log-origin-mismatches.ts';
import { createMemberAccess } from './platform/identity/member-access.ts';
import { createMemberExport } from './platform/identity/member-export.ts';
import { createProviderEvents } from './platform/identity/webhook-routes.ts';
import { createJobs } from './platform/jobs/jobs.ts';
import { createSmtpMailer } from './platform/mail/smtp-mailer.ts';
import { openRedis } from './open-redis.ts';
import { addHealthAndMetrics, getDrainDelay, REQUEST_TIMEOUT_MS } from './operation-routes.ts';
import { closeSlices, runSlices } from './run-slices.ts';
import type { Slice } from './slice.ts';
import { listRoutePaths, routesWithParam } from './ui/shell/route-paths.ts';

/** Creates every feature after those it depends on, and passes on the functions that connect them. */
export async function createSlices(deps: AppDependencies) {
  const { config, secrets, database, logger, baseUrl, webRoot, metricsPeers } = deps;
  const sql = database.service;
  const idp = getIdentitySettings(config, secrets);
  const reservedAccounts = idp.hosted ? idp.accounts : await findReservedAccounts(sql, idp.accounts);

  const metrics = withPoolMetrics(createMetrics(metricsPeers), database);
  const jobs = createJobs(database, { registry: metrics.registry, logger });
  const redis = openRedis(config, logger, metrics.registry);
  const limits = createSharedRateLimits(redis);
  const createLimiter = limits.createLimiter;

  const gate = createSessionGate({ sql, strict: config.DEMO_ACCESS_STRICT });
  const mail = getMailSettings(config);
  const identityProvider = idp.hosted
    ? createHostedProvider({
        apiUrl: idp.hosted.apiUrl,
        frontendApiUrl: idp.hosted.frontendApiUrl,
        secretKey: idp.secretKey,
        webhookSecret: idp.webhookSecret,
        accounts: reservedAccounts,
        logger,
      })
    : createEmbeddedProvider({
        sql,
        baseUrl,
        secretKey: idp.secretKey,
        webhookSecret: idp.webhookSecret,
        accounts: reservedAccounts,
        signUpMode: config.SIGN_UP,
        mailer: mail && createSmtpMailer(mail),
        logger,
        createLimiter,
        ...deps.embeddedIdentity,
      });
  const storedIdentityData = createStoredIdentityData(sql);
  const identity = createIdentity({
    database,
    provider: identityProvider,
    baseUrl,
    publishableKey: idp.publishableKey,
    sessionGate: gate.isSessionAllowed,
    getDemoResetTime: createResetTimeReader(sql, config.DEMO_ACCESS_RESET),
    requestsPerMinute: config.API_RATE_LIMIT,
    createLimiter,
  });
  const { guards, accounts } = identity;

  const market = createMarketData({
    sql,
    optional: database.bestEffortReads,
    shared: database.replicaReads,
    jobs,
    logger,
    metrics,
    providers: getMarketProviders(config, deps.marketUrls),
    createEmbedded: createSimulator,
  });
  const lookUp = createLookupRateLimiter(undefined, createLimiter({ name: 'look-ups', limit: MAX_LOOKUPS_PER_MINUTE }));

  const ecb = getEcbSettings(config, deps.marketUrls);
  const exchangeRates = createExchangeRates({
    sql,
    jobs,
    logger,
    metrics,
    source: ecb ? createEcbRates(ecb) : createSimulatedRates(),
  });

  const eventService = getAnalyticsSettings(config);
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
    mayIdentify: analytics.mayIdentify,
  });

  const offersSandbox = isSandboxAllowed(config, baseUrl);
  const stripe = getStripeSettings(config);
  const embeddedPayments = offersSandbox && !stripe ? createEmbeddedPayments({ sql, logger, baseUrl }) : undefined;
  const billing = createBilling({
    database,
    logger,
    guards,
    createLimiter,
    selling: {
      baseUrl,
      captureInTransaction: analytics.captureInTransaction,
      provider: stripe ?? embeddedPayments?.client,
    },
    revenueToken: getRevenueToken(config, secrets),
  });

  const tokenCounting = createTokenCounting({
    sql,
    logger,
    metrics,
    guards,
    rateLimits: config.TOKEN_COUNT_RATE_LIMITS,
    redis,
    fetchUrls: config.TOKEN_COUNT_FETCH_URLS,
    browserAccess: config.TOKEN_COUNT_BROWSER_ACCESS,
    https: baseUrl.startsWith('https:'),
  });

  const investments = createInvestments({
    database,
    jobs,
    logger,
    market,
    exchangeRates,
    lookUp,
    guards,
    createLimiter,
  });

  const demoAccess = createDemoAccess({
    sql,
    logger,
    metrics,
    guards,
    baseUrl,
    gate,
    webRoot,
    createLimiter,
    connectTo: identityProvider.connectTo,
    provider: identityProvider.client,
    accounts,
    isReady: createReadinessCheck({
      accounts,
      isMember: identity.isMember,
      countAccountsAndHoldings: investments.countAccountsAndHoldings,
    }),
    operatorToken: getDemoOperatorToken(config, secrets),
    requestsPerMinute: config.DEMO_ACCESS_RATE_LIMIT,
  });

  const site = createSite({
    accounts,
    provider: identityProvider.client,
    createLimiter,
    requestsPerMinute: config.DEMO_ACCESS_RATE_LIMIT,
    documents: deps.siteDocuments,
    recipients: {
      identity: idp.hosted !== undefined,
      banks: getPlaidSettings(config) !== undefined,
      brokerages: getSnaptradeSettings(config) !== undefined,
      payments: stripe !== undefined,
      model: config.ANTHROPIC_API_KEY !== undefined,
      analytics: eventService !== undefined,
    },
  });

  const watchlist = createWatchlist({
    database,
    logger,
    guards,
    market,
    lookUp,
    isOn: flags.isOn,
    getTier: billing.getTier,
    getWatchlistLimit: billing.getWatchlistLimit,
    listPositions: investments.listPositions,
    capture: analytics.capture,
    captureInTransaction: analytics.captureInTransaction,
  });

  const search = createSearch({
    guards,
    market,
    listHeldSymbols: investments.listHeldSymbols,
    readWatched: watchlist.readWatched,
  });

  const securities = createSecurities({
    database,
    logger,
    market,
    lookUp,
    getPortfolio: investments.getPortfolio,
    getWatchState: watchlist.getWatchState,
    ...createMemberAccess(database, guards),
  });

  const referrals = createReferrals({
    sql,
    logger,
    metrics,
    jobs,
    guards,
    baseUrl,
    createLimiter,
    accounts,
    provider: identityProvider.client,
    rateLimits: config.REFERRAL_RATE_LIMITS,
  });

  const connectionKeys = getConnectionKeys(config, secrets);
  const sandboxKey = offersSandbox ? connectionKeys?.current : undefined;
  const plaid = getPlaidSettings(config);
  const embeddedBank = sandboxKey && !plaid ? createEmbeddedBank({ sql, logger, baseUrl, key: sandboxKey }) : undefined;
  const snaptrade = getSnaptradeSettings(config);
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
    async onConnected(transaction, idpId, connection) {
      await referrals.onFirstConnection(transaction, { idpId, ...connection });
    },
    settings: {
      keys: connectionKeys,
      bank: plaid ?? embeddedBank?.client,
      brokerage: snaptrade ?? embeddedBrokerage?.client,
    },
  });

  const dashboard = createDashboard({
    sql,
    logger,
    market,
    exchangeRates,
    listHeldSymbols: investments.listHeldSymbols,
    readWatched: watchlist.readWatched,
    listWatchedSymbols: watchlist.listWatchedSymbols,
    isWatchlistOn: watchlist.isWatchlistOn,
    readHomeList: watchlist.readHomeList,
    listConnections: connections.listConnections,
    ...createMemberAccess(database, guards),
  });

  const assistant = createAssistant({
    database,
    logger,
    guards,
    baseUrl,
    createLimiter,
    count: tokenCounting.countRequest,
    ...getAssistantSettings(config),
    dataSources: {
      watchlist,
      portfolios: investments,
      dashboard,
      getMarketSession: market.status,
    },
  });

  const browserEvents = createBrowserEvents({
    sql,
    guards,
    record: analytics.record,
    getServerProperties: watchlist.getEventContext,
    validateEvent: watchlist.validateBrowserEvent,
    isPlausible: watchlist.isPlausibleListState,
  });

  const owners: readonly Slice[] = [
    flags,
    identity,
    storedIdentityData,
    market,
    exchangeRates,
    analytics,
    billing,
    tokenCounting,
    investments,
    demoAccess,
    site,
    watchlist,
    search,
    securities,
    dashboard,
    referrals,
    connections,
    assistant,
    browserEvents,
  ];
  const memberExport = createMemberExport({ sql, guards, owners, createLimiter });
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

  const operator = createOperator({
    sql,
    token: config.OPERATOR_TOKEN,
    baseUrl,
    createLimiter,
    members: createMemberManagement({
      sql,
      owners,
      provider: identityProvider,
      readTiers: (ids) => selectTiers(sql, ids),
    }),
    checkInstallation: () =>
      runChecks([...listDatabaseChecks(sql, connectionKeys), ...listServiceChecks(config, deps.marketUrls)]),
    listKeys: async () =>
      (await listApiKeys(sql))
        .filter((key) => key.revoked_at === null)
        .map((key) => ({
          id: key.id,
          name: key.name,
          hint: key.hint,
          organisation: key.organisation,
          usage_tier: key.usage_tier,
          created_at: key.created_at.toISOString(),
          last_used_at: key.last_used_at?.toISOString() ?? null,
        })),
    revokeKey: async (id) => (await revokeApiKey(sql, id)) !== undefined,
    readCallBudgets: market.readCallBudgets,
    readAssistantUse: () => readAssistantUse(sql),
    dailyTokens: config.ASSISTANT_DAILY_TOKENS_TOTAL,
    hasRevenue: getRevenueToken(config, secrets) !== undefined,
  });

  const embedded = [embeddedPayments, embeddedBank, embeddedBrokerage].filter((slice) => slice !== undefined);
  const list: readonly Slice[] = [
    ...(redis ? [redis] : []),
    ...embedded,
    ...owners,
    memberExport,
    operator,
    providerEvents,
    demoData,
    firstRunData,
  ];
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

/** Creates the whole application, ready to listen. If a step fails, it closes what it has created and throws. */
export async function createApp(deps: AppDependencies): Promise<App> {
  const { config, logger, baseUrl } = deps;
  const { list, identity, jobs, metrics, tokenCounting } = await createSlices(deps);
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => closeSlices(list));
  const { connectTo, frontendApiUrl } = identity.provider;
  const pages = listRoutePaths({
    hasRevenue: getRevenueToken(config, deps.secrets) !== undefined,
    hasOperator: config.OPERATOR_TOKEN !== undefined,
  });
  const web = await readWebApp({ root: deps.webRoot, pages, pagesWithSubpath: routesWithParam, frontendApiUrl });
  const { http, addPageHooks } = createHttpServer({
    logger,
    metrics,
    connectTo,
    trustedProxies: config.TRUSTED_PROXIES,
    bodyLimit: 256 * 1024,
    requestTimeout: REQUEST_TIMEOUT_MS,
    drainMs: getDrainDelay(config.TRUSTED_PROXIES),
    https: baseUrl.startsWith('https:'),
    rewriteUrl: rewriteEntryPageUrl,
    notFoundPage: web?.notFoundPage,
  });
  await http.register(async (scope: HttpApp) => tokenCounting.registerV1(scope), { prefix: '/v1' });
  await http.register(async (scope: HttpApp) => {
    await addPageHooks(scope);
    logOriginMismatches(scope, baseUrl);
    addHealthAndMetrics(scope, deps, { jobs, metrics });
    for (const slice of list) await slice.register?.(scope);
    await web?.register(scope);
  });
  const { startBackground, close } = runSlices(list, { http, logger, jobs: config.WORKER ? jobs : undefined });
  cleanup.move();
  return { http, metrics, startBackground, close };
}
