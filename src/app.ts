import type { App, AppDependencies } from './installation/app-dependencies.ts';
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
import { createEmbeddedProviders } from './embedded/embedded-providers.ts';
import { listDatabaseChecks, listServiceChecks, runChecks } from './installation/check-installation.ts';
import { createAlerts } from './features/alerts/alerts.ts';
import { createAlertEvaluator } from './features/alerts/evaluate-alerts.ts';
import { createAssistant } from './features/assistant/assistant.ts';
import { createBilling } from './features/billing/billing.ts';
import { toClientUserId } from './features/connections/bank/bank-aggregator.ts';
import { createConnections } from './features/connections/connections.ts';
import { createDemoAccess, createDemoSessions } from './features/demo-access/demo-access.ts';
import { createPortfolio } from './features/portfolio/portfolio.ts';
import { createOperator } from './features/operator/operator.ts';
import { createReferrals } from './features/referrals/referrals.ts';
import { createSearch } from './features/search/search.ts';
import { createSecurities } from './features/securities/securities.ts';
import { createSite } from './features/site/site.ts';
import { createTokenCounting } from './features/token-api/token-counting.ts';
import { createWatchlist } from './features/watchlist/watchlist.ts';
import { createFirstRunData } from './installation/first-run-data.ts';
import { createMarketData } from './market-data/market-data.ts';
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
import { findConfirmedAddress } from './platform/identity/find-confirmed-address.ts';
import { createIdentity } from './platform/identity/identity.ts';
import { createMemberManagement } from './platform/identity/manage-members.ts';
import { logOriginMismatches } from './platform/identity/log-origin-mismatches.ts';
import { createMemberAccess } from './platform/identity/member-access.ts';
import { createMemberExport } from './platform/identity/member-export.ts';
import { createProviderEvents } from './platform/identity/webhook-routes.ts';
import { createJobs } from './platform/jobs/jobs.ts';
import { createSmtpMailer } from './platform/mail/smtp-mailer.ts';
import { openRedis } from './installation/open-redis.ts';
import { addHealthAndMetrics, getDrainDelay, REQUEST_TIMEOUT_MS } from './installation/operation-routes.ts';
import { closeFeatures, runFeatures } from './installation/run-features.ts';
import type { Feature } from './feature.ts';
import { listRoutePaths, routesWithParam } from './ui/shell/route-paths.ts';

/** Creates every feature after those it depends on, and passes on the functions that connect them. */
export async function createFeatures(deps: AppDependencies) {
  const { config, secrets, database, logger, baseUrl, webRoot, metricsPeers } = deps;
  const sql = database.service;
  const idp = getIdentitySettings(config, secrets);

  const metrics = withPoolMetrics(createMetrics(metricsPeers), database);
  const jobs = createJobs(database, { registry: metrics.registry, logger });
  const redis = await openRedis(config, logger, metrics.registry);
  const limits = createSharedRateLimits(redis);
  const createLimiter = limits.createLimiter;

  const resetAt = config.DEMO_ACCESS_RESET;
  const { gate, getResetTime } = createDemoSessions({ sql, strict: config.DEMO_ACCESS_STRICT, resetAt });
  const mail = getMailSettings(config);
  const offersSandbox = isSandboxAllowed(config, baseUrl);
  const stripe = getStripeSettings(config);
  const plaid = getPlaidSettings(config);
  const snaptrade = getSnaptradeSettings(config);
  const connectionKeys = getConnectionKeys(config, secrets);
  const embedded = await createEmbeddedProviders({
    sql,
    logger,
    baseUrl,
    identity: idp.hosted
      ? undefined
      : {
          secretKey: idp.secretKey,
          webhookSecret: idp.webhookSecret,
          accounts: idp.accounts,
          signUpMode: config.SIGN_UP,
          mailer: mail && createSmtpMailer(mail),
          createLimiter,
          ...deps.embeddedIdentity,
        },
    sandbox: {
      payments: offersSandbox && !stripe,
      bank: offersSandbox && !plaid,
      brokerage: offersSandbox && !snaptrade,
      key: connectionKeys?.current,
    },
    toClientUserId,
  });
  const identityProvider =
    embedded.identity ??
    createHostedProvider({
      ...idp.hosted!,
      secretKey: idp.secretKey,
      webhookSecret: idp.webhookSecret,
      accounts: idp.accounts,
      logger,
    });
  const identity = createIdentity({
    database,
    provider: identityProvider,
    baseUrl,
    publishableKey: idp.publishableKey,
    sessionGate: gate.isSessionAllowed,
    getDemoResetTime: getResetTime,
    requestsPerMinute: config.API_RATE_LIMIT,
    createLimiter,
  });
  const { guards, accounts } = identity;

  const eventService = getAnalyticsSettings(config);
  const analytics = createAnalytics({
    sql,
    logger,
    metrics,
    accounts,
    service: eventService,
  });
  const market = createMarketData({
    sql,
    reads: database.marketReads,
    jobs,
    logger,
    metrics,
    providers: getMarketProviders(config, deps.marketUrls),
    createEmbedded: embedded.createMarketData,
    evaluatePrices: createAlertEvaluator({ sendsMail: mail !== undefined, capture: analytics.capture }),
  });
  const lookUp = createLookupRateLimiter(undefined, createLimiter({ name: 'look-ups', limit: MAX_LOOKUPS_PER_MINUTE }));

  const ecb = getEcbSettings(config, deps.marketUrls);
  const exchangeRates = createExchangeRates({
    sql,
    jobs,
    logger,
    metrics,
    source: ecb ? await createEcbSource(ecb) : embedded.createExchangeRates(),
  });

  const flags = createFeatureFlags({
    sql,
    logger,
    service: eventService,
    mayIdentify: analytics.mayIdentify,
  });

  const billing = createBilling({
    database,
    logger,
    guards,
    createLimiter,
    selling: {
      baseUrl,
      captureInTransaction: analytics.captureInTransaction,
      provider: stripe ?? embedded.payments?.client,
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

  const portfolio = createPortfolio({
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
    isMember: identity.isMember,
    countAccountsAndHoldings: portfolio.countAccountsAndHoldings,
    resetAt,
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
    listPositions: portfolio.listPositions,
    capture: analytics.capture,
    captureInTransaction: analytics.captureInTransaction,
  });

  const search = createSearch({
    guards,
    market,
    listHeldSymbols: portfolio.listHeldSymbols,
    readWatched: watchlist.readWatched,
  });

  const securities = createSecurities({
    database,
    logger,
    market,
    lookUp,
    getPortfolio: portfolio.getPortfolio,
    getWatchState: watchlist.getWatchState,
    ...createMemberAccess(database, guards),
  });

  const alerts = createAlerts({
    database,
    logger,
    guards,
    baseUrl,
    market,
    lookUp,
    getTier: billing.getTier,
    createLimiter,
    captureInTransaction: analytics.captureInTransaction,
    mailer: mail && createSmtpMailer(mail),
    findConfirmedAddress: (idpId) => findConfirmedAddress(identityProvider.client, idpId),
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

  const connections = createConnections({
    database,
    logger,
    jobs,
    metrics,
    guards,
    baseUrl,
    portfolios: portfolio,
    async onConnected(transaction, idpId, connection) {
      await referrals.onFirstConnection(transaction, { idpId, ...connection });
    },
    settings: {
      keys: connectionKeys,
      bank: plaid ?? embedded.bank?.client,
      brokerage: snaptrade ?? embedded.brokerage?.client,
    },
  });

  const dashboard = portfolio.createDashboard({
    readWatched: watchlist.readWatched,
    listWatchedSymbols: watchlist.listWatchedSymbols,
    isWatchlistOn: watchlist.isWatchlistOn,
    readHomeList: watchlist.readHomeList,
    listConnections: connections.listConnections,
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
      readAlerts: alerts.readAlerts,
      portfolios: portfolio,
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

  const owners: readonly Feature[] = [
    flags,
    identity,
    embedded.storedIdentityData,
    market,
    exchangeRates,
    analytics,
    billing,
    tokenCounting,
    portfolio,
    demoAccess,
    site,
    watchlist,
    search,
    securities,
    alerts,
    dashboard,
    referrals,
    ...(embedded.bank ? [embedded.bank] : []),
    connections,
    assistant,
    browserEvents,
  ];
  const memberExport = createMemberExport({ sql, guards, owners, createLimiter });
  const demoData = demoAccess.createData(owners);
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
      readTiers: billing.getTiers,
    }),
    checkInstallation: () =>
      runChecks([...listDatabaseChecks(sql, connectionKeys), ...listServiceChecks(config, deps.marketUrls)]),
    listKeys: tokenCounting.listActiveKeys,
    revokeKey: tokenCounting.revokeKey,
    readCallBudgets: market.readCallBudgets,
    readAssistantUse: assistant.readUse,
    dailyTokens: config.ASSISTANT_DAILY_TOKENS_TOTAL,
    hasRevenue: getRevenueToken(config, secrets) !== undefined,
  });

  const configured = [redis, embedded.payments, embedded.brokerage].filter((feature) => feature !== undefined);
  const list: readonly Feature[] = [
    ...configured,
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
    billing,
    market,
    tokenCounting,
    demoAccess,
    demoData,
    referrals: referrals.context,
    connections,
  };
}

/** Loads the reader of the European Central Bank's files only where its rates are used. */
async function createEcbSource(settings: NonNullable<ReturnType<typeof getEcbSettings>>) {
  const { createEcbRates } = await import('./market-data/providers/ecb/ecb.ts');
  return createEcbRates(settings);
}

/** Creates the whole application, ready to listen. If a step fails, it closes what it has created and throws. */
export async function createApp(deps: AppDependencies): Promise<App> {
  const { config, logger, baseUrl } = deps;
  const { list, identity, jobs, metrics, tokenCounting, demoAccess } = await createFeatures(deps);
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => closeFeatures(list));
  const { connectTo, frontendApiUrl } = identity.provider;
  const pages = listRoutePaths({
    hasRevenue: getRevenueToken(config, deps.secrets) !== undefined,
    hasOperator: config.OPERATOR_TOKEN !== undefined,
  });
  const web = await readWebApp({
    root: deps.webRoot,
    pages,
    standalonePages: ['/docs'],
    pagesWithSubpath: routesWithParam,
    frontendApiUrl,
    baseUrl,
  });
  const { http, addPageHooks } = createHttpServer({
    logger,
    metrics,
    connectTo,
    trustedProxies: config.TRUSTED_PROXIES,
    bodyLimit: 256 * 1024,
    requestTimeout: REQUEST_TIMEOUT_MS,
    drainMs: getDrainDelay(config.TRUSTED_PROXIES),
    https: baseUrl.startsWith('https:'),
    rewriteUrl: demoAccess.rewriteUrl,
    notFoundPage: web?.notFoundPage,
  });
  await http.register(async (scope: HttpApp) => tokenCounting.registerV1(scope), { prefix: '/v1' });
  await http.register(async (scope: HttpApp) => {
    await addPageHooks(scope);
    logOriginMismatches(scope, baseUrl);
    addHealthAndMetrics(scope, deps, { jobs, metrics });
    for (const feature of list) await feature.register?.(scope);
    await web?.register(scope);
  });
  const { startBackground, close } = runFeatures(list, { http, logger, jobs: config.WORKER ? jobs : undefined });
  cleanup.move();
  return { http, metrics, startBackground, close };
}
