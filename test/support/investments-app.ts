import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import { createLogger } from '../../src/platform/http/logger.ts';
import { createMetrics } from '../../src/platform/http/metrics.ts';
import { createTestHttpApp } from './http-app.ts';
import { AppError } from '../../src/errors.ts';
import type { HttpApp } from '../../src/platform/http/app-type.ts';
import { createGuards, type Guards } from '../../src/platform/identity/guards.ts';
import { createMemberAccess } from '../../src/platform/identity/member-access.ts';
import { createPortfolio, type Portfolio } from '../../src/features/portfolio/portfolio.ts';
import { createJobs } from '../../src/platform/jobs/jobs.ts';
import { createSimulatedRates } from '../../src/embedded/market-data/simulated-rates.ts';
import { createSimulator } from '../../src/embedded/market-data/simulator.ts';
import type { Listing } from '../../src/market-data/domain/market-data-provider.ts';
import { createMarketData } from '../../src/market-data/market-data.ts';
import type { MarketDataService } from '../../src/market-data/services/market-data-service.ts';
import { createExchangeRates } from '../../src/market-data/services/exchange-rates/exchange-rates.ts';
import { createLookupRateLimiter } from '../../src/market-data/services/catalog/lookup-rate-limit.ts';
import { createSearch } from '../../src/features/search/search.ts';
import { type WatchedReaderDependencies, createWatchedReader } from '../../src/features/watchlist/watchlist.ts';
import { createTestDatabase, openTestDatabase, type TestDatabase } from './database.ts';
import { assertDocumented } from './documented-responses.ts';
import { type ApiResponse, sendRequest } from './identity.ts';

export interface InvestmentsApp extends TestDatabase {
  url: string;
  market: MarketDataService;
  investments: Portfolio;
  /** Members outside the watchlist's rollout. */
  membersOutsideRollout: Set<string>;
  /** Watched symbols beyond the plan's limit. */
  lockedSymbols: Set<string>;
  /** Makes the watchlist unavailable, as while a member's tier cannot be read. */
  isWatchlistUnavailable: boolean;
  /** Number of reads of watched symbols. */
  watchlistReadCount: number;
  call(
    method: string,
    path: string,
    member?: string,
    body?: object | string,
    headers?: Record<string, string>,
  ): Promise<ApiResponse>;
  close(): Promise<void>;
}

/**
 * Starts investments with the features on top of it, search and dashboard, over HTTP on a new database. It has the
 * simulator's catalog and the members user_a, user_b, user_demo and user_sample. The header `x-member` replaces the
 * sign-in. The watchlist is read from its table.
 */
export async function startInvestmentsApp(
  options: {
    now?: () => Date;
    changeMarket?: (market: MarketDataService) => MarketDataService;
    /** Listings of the catalog besides the simulator's. They have no price. */
    listings?: readonly Listing[];
    /** Name of a database that such an app in another process has seeded and drops. */
    existingDatabase?: string | undefined;
    /** Adds further features before the application listens. */
    addFeature?: (
      app: HttpApp,
      context: { testDatabase: TestDatabase; guards: Guards; investments: Portfolio },
    ) => Promise<void>;
  } = {},
): Promise<InvestmentsApp> {
  const { existingDatabase } = options;
  const testDatabase =
    existingDatabase === undefined ? await createTestDatabase() : await openTestDatabase(existingDatabase);
  const logger = createLogger('silent');
  const jobs = createJobs(testDatabase.database);
  const marketData = createMarketData({
    sql: testDatabase.database.service,
    jobs,
    logger,
    providers: {},
    createEmbedded: (providerOptions) => {
      const simulator = createSimulator(providerOptions);
      const added = (options.listings ?? []).map((listing) => [listing.symbol, listing] as const);
      return { ...simulator, seedListings: new Map([...simulator.seedListings, ...added]) };
    },
    ...(options.now && { now: options.now }),
  });
  if (existingDatabase === undefined) {
    await marketData.seed();
    await testDatabase.owner(
      `insert into public.all_users (idp_id) values ('user_a'), ('user_b'), ('user_demo'), ('user_sample')`,
    );
  }
  const market = options.changeMarket?.(marketData) ?? marketData;
  const state = {
    membersOutsideRollout: new Set<string>(),
    lockedSymbols: new Set<string>(),
    isWatchlistUnavailable: false,
    watchlistReadCount: 0,
  };
  const guards = createGuards(async (request) => {
    const idpId = request.headers['x-member'];
    if (typeof idpId !== 'string') throw new AppError('UNAUTHENTICATED');
    const flags = { isDemoAccount: idpId === 'user_demo', isSampleUser: idpId === 'user_sample' };
    return { idpId, sessionId: 'sess_1', verifiedAt: null, ...flags };
  });
  const now = options.now ?? (() => new Date());
  const exchangeRates = createExchangeRates({
    sql: testDatabase.database.service,
    jobs,
    logger,
    source: createSimulatedRates(now),
    now,
  });
  const investments = createPortfolio({
    database: testDatabase.database,
    jobs,
    logger,
    market,
    exchangeRates,
    // The clock is fixed, so that no minute passes while a slow machine tests.
    lookUp: createLookupRateLimiter(() => 0),
    guards,
    now,
  });
  const watchlistDependencies: WatchedReaderDependencies = {
    logger,
    listWatchedSymbols: async ({ idpId, sessionId }, { includeLocked }) => {
      if (state.membersOutsideRollout.has(idpId)) return undefined;
      state.watchlistReadCount += 1;
      if (state.isWatchlistUnavailable) throw new Error('The watchlist is unavailable.');
      const sql = testDatabase.database.asMember({ sub: idpId, sid: sessionId });
      const symbols = (
        await sql.query<{ symbol: string }>('select symbol from public.watchlist_items order by position')
      ).map(({ symbol }) => symbol);
      return symbols.filter((symbol) => includeLocked || !state.lockedSymbols.has(symbol));
    },
    isWatchlistOn: async ({ idpId }) => !state.membersOutsideRollout.has(idpId),
  };
  const featureDependencies = {
    ...createMemberAccess(testDatabase.database, guards),
    sql: testDatabase.database.service,
    logger,
    market,
    exchangeRates,
    now,
    listHeldSymbols: investments.listHeldSymbols,
    readWatched: createWatchedReader(watchlistDependencies),
    listWatchedSymbols: watchlistDependencies.listWatchedSymbols,
    isWatchlistOn: watchlistDependencies.isWatchlistOn,
    readHomeList: async () => undefined,
    listConnections: async () => ({ connections: [] }),
  };
  const app = await createTestHttpApp({
    logger,
    metrics: createMetrics(),
    trustedProxies: [],
    bodyLimit: 100_000,
    requestTimeout: 10_000,
    https: false,
  });
  await investments.register(app);
  createSearch(featureDependencies).register(app);
  await investments.createDashboard(featureDependencies).register?.(app);
  await options.addFeature?.(app, { testDatabase, guards, investments });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return Object.assign(state, {
    ...testDatabase,
    url,
    market,
    investments,
    async call(
      method: string,
      path: string,
      member?: string,
      body?: object | string,
      headers: Record<string, string> = {},
    ) {
      const response = await sendRequest(url + path, method, body, {
        ...(member && { 'x-member': member }),
        ...(typeof body === 'string' && { 'content-type': 'application/json' }),
        ...headers,
      });
      assertDocumented(method, path, response, headers);
      return response;
    },
    async close() {
      await app.close();
      await (existingDatabase === undefined ? testDatabase.drop() : testDatabase.close());
    },
  });
}

/**
 * Starts the app for all tests of the file. `onStart` receives it before the first test, and it closes after the last.
 */
export function setUpInvestmentsApp(
  onStart: (app: InvestmentsApp) => unknown,
  options: Parameters<typeof startInvestmentsApp>[0] = {},
): void {
  let app: InvestmentsApp;
  beforeAll(async () => {
    app = await startInvestmentsApp(options);
    return onStart(app);
  });
  afterAll(() => app.close());
}

/** Adds a holding and asserts its success. */
export async function addHolding(
  app: InvestmentsApp,
  member: string,
  account_id: string,
  symbol: string,
  quantity = 1,
) {
  const holding = { account_id, symbol, quantity };
  const { status, body } = await app.call('POST', '/api/investments/holdings', member, holding);
  if (status !== 201) throw new Error(`${symbol} was not added: ${JSON.stringify(body)}`);
}

/** Creates an account and returns its id. */
export async function createAccount(app: InvestmentsApp, member: string, account: object = {}): Promise<string> {
  const { status, body } = await app.call('POST', '/api/accounts', member, { name: 'Brokerage', ...account });
  if (status !== 201) throw new Error(`the account was not made: ${JSON.stringify(body)}`);
  return body.account.id as string;
}
