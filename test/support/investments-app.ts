import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import { createDashboard } from '../../src/features/portfolio/dashboard/dashboard.ts';
import { createLogger } from '../../src/platform/http/logger.ts';
import { createMetrics } from '../../src/platform/http/metrics.ts';
import { createTestHttpApp } from './http-app.ts';
import { Failure } from '../../src/errors.ts';
import type { HttpApp } from '../../src/platform/http/app-type.ts';
import { createGuards, type Guards } from '../../src/platform/identity/guards.ts';
import { memberAccess } from '../../src/platform/identity/member-access.ts';
import { createInvestments, type Investments } from '../../src/features/portfolio/investments.ts';
import { createJobs } from '../../src/platform/jobs/jobs.ts';
import { createSimulator } from '../../src/embedded/market-data/simulator.ts';
import { createMarketData } from '../../src/market-data/market-data.ts';
import type { MarketDataService } from '../../src/market-data/services/market-data-service.ts';
import { limitLookUps } from '../../src/market-data/services/catalog/lookup-rate-limit.ts';
import { createSearch } from '../../src/features/search/search.ts';
import { type WatchedDependencies, createWatchedReader } from '../../src/features/watchlist/watchlist.ts';
import { createTestDatabase, openTestDatabase, type TestDatabase } from './database.ts';
import { assertDocumented } from './documented.ts';
import { type Answer, send } from './identity.ts';

export interface InvestmentsApp extends TestDatabase {
  url: string;
  market: MarketDataService;
  investments: Investments;
  /** Members outside the watchlist's rollout. */
  outside: Set<string>;
  /** Watched symbols that are past the plan's limit. */
  locked: Set<string>;
  /** The watchlist cannot be read, as while a member's tier cannot. */
  watchlistAway: boolean;
  /** Times that the watchlist was asked for symbols. */
  watchlistReads: number;
  call(
    method: string,
    path: string,
    member?: string,
    body?: object | string,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  close(): Promise<void>;
}

/**
 * Investments and the two slices above it, search and dashboard, over HTTP on a database of its own, with the
 * simulator's catalog and members user_a, user_b, user_demo and user_sample. Sign-in is another room's: the header
 * `x-member` says who is signed in. The watchlist is read where it stands.
 */
export async function startInvestmentsApp(
  options: {
    now?: () => Date;
    changeMarket?: (market: MarketDataService) => MarketDataService;
    /** The database of such an app in another process, which has filled it and drops it. */
    beside?: string | undefined;
    /** Hangs more on the application before it listens. */
    addSlice?: (app: HttpApp, parts: { room: TestDatabase; guards: Guards; investments: Investments }) => Promise<void>;
  } = {},
): Promise<InvestmentsApp> {
  const { beside } = options;
  const room = beside === undefined ? await createTestDatabase() : await openTestDatabase(beside);
  const [logger, jobs] = [createLogger('silent'), createJobs(room.database)];
  const real = createMarketData({
    sql: room.database.service,
    jobs,
    logger,
    providers: {},
    createEmbedded: createSimulator,
    ...(options.now && { now: options.now }),
  });
  if (beside === undefined) {
    await real.seed();
    await room.owner(
      `insert into public.all_users (idp_id) values ('user_a'), ('user_b'), ('user_demo'), ('user_sample')`,
    );
  }
  const market = options.changeMarket?.(real) ?? real;
  const stand = { outside: new Set<string>(), locked: new Set<string>(), watchlistAway: false, watchlistReads: 0 };
  const guards = createGuards(async (request) => {
    const idpId = request.headers['x-member'];
    if (typeof idpId !== 'string') throw new Failure('UNAUTHENTICATED');
    return { idpId, sessionId: 'sess_1', isDemoAccount: idpId === 'user_demo', isSampleUser: idpId === 'user_sample' };
  });
  const now = options.now ?? (() => new Date());
  const investments = createInvestments({
    database: room.database,
    jobs,
    logger,
    market,
    // On a clock that stands, so that no minute passes while a slow machine tests.
    lookUp: limitLookUps(() => 0),
    guards,
    now,
  });
  const watching: WatchedDependencies = {
    logger,
    watchedSymbols: async ({ idpId, sessionId }, { includeLocked }) => {
      if (stand.outside.has(idpId)) return undefined;
      stand.watchlistReads += 1;
      if (stand.watchlistAway) throw new Error('The watchlist is away.');
      const sql = room.database.asMember({ sub: idpId, sid: sessionId });
      const symbols = (
        await sql.query<{ symbol: string }>('select symbol from public.watchlist_items order by position')
      ).map(({ symbol }) => symbol);
      return symbols.filter((symbol) => includeLocked || !stand.locked.has(symbol));
    },
    isWatchlistOn: async ({ idpId }) => !stand.outside.has(idpId),
  };
  const above = {
    ...memberAccess(room.database, guards),
    ...{ sql: room.database.service, market, now },
    heldSymbols: investments.heldSymbols,
    watchedFor: createWatchedReader(watching),
    ...{ watchedSymbols: watching.watchedSymbols, isWatchlistOn: watching.isWatchlistOn },
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
  createSearch(above).register(app);
  await createDashboard(above).register?.(app);
  await options.addSlice?.(app, { room, guards, investments });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return Object.assign(stand, {
    ...room,
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
      const answer = await send(url + path, method, body, {
        ...(member && { 'x-member': member }),
        ...(typeof body === 'string' && { 'content-type': 'application/json' }),
        ...headers,
      });
      assertDocumented(method, path, answer, headers);
      return answer;
    },
    async close() {
      await app.close();
      await (beside === undefined ? room.drop() : room.close());
    },
  });
}

/** Starts the app for all tests of the file: `take` has it before the first of them, and it ends behind the last. */
export function useInvestmentsApp(take: (app: InvestmentsApp) => unknown): void {
  let app: InvestmentsApp;
  beforeAll(async () => take((app = await startInvestmentsApp())));
  afterAll(() => app.close());
}

/** Adds a holding, which must be taken. */
export async function hold(app: InvestmentsApp, member: string, account_id: string, symbol: string, quantity = 1) {
  const holding = { account_id, symbol, quantity };
  const { status, body } = await app.call('POST', '/api/investments/holdings', member, holding);
  if (status !== 201) throw new Error(`${symbol} was not added: ${JSON.stringify(body)}`);
}

/** Makes an account and returns its id. */
export async function newAccount(app: InvestmentsApp, member: string, account: object = {}): Promise<string> {
  const { status, body } = await app.call('POST', '/api/accounts', member, { name: 'Brokerage', ...account });
  if (status !== 201) throw new Error(`the account was not made: ${JSON.stringify(body)}`);
  return body.account.id as string;
}
