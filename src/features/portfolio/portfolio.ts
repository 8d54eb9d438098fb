import type { Logger } from 'pino';
import type { Database } from '../../platform/database/connect.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { guardRoutes } from '../../platform/http/guard.ts';
import type { Guards } from '../../platform/identity/guards.ts';
import { createMemberAccess } from '../../platform/identity/member-access.ts';
import type { Member } from '../../platform/identity/member.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Schedule, Tasks } from '../../platform/jobs/task.ts';
import type { RateLimitedLookup } from '../../market-data/services/catalog/lookup-rate-limit.ts';
import { registerExistingSymbols } from '../../market-data/services/catalog/register-existing-symbols.ts';
import type { ExchangeRates } from '../../market-data/services/exchange-rates/exchange-rates.ts';
import type { MarketDataService } from '../../market-data/services/market-data-service.ts';
import type { SeededAccounts, Feature } from '../../feature.ts';
import { deletePortfolio, countAccountsAndHoldings } from './accounts/queries.ts';
import { addAccountRoutes } from './accounts/routes.ts';
import type { RegisterSymbol } from './holdings/add-holding.ts';
import { replaceConnectedPortfolio } from './accounts/connected-queries.ts';
import type { ConnectedHolding, ConnectedPortfolio } from './accounts/contract.ts';
import type { NetWorthResponse } from './net-worth/contract.ts';
import type { Position, PositionPart } from './holdings/contract.ts';
import { memberRows } from './export-queries.ts';
import { recordFlows } from './net-worth/flow-queries.ts';
import { createDashboard, type Dashboard, type DashboardDependencies } from './dashboard/dashboard.ts';
import { listMonthlyIncome } from './dividends/list-dividends.ts';
import { fetchHistories } from './demo/fetch-histories.ts';
import {
  earningsSchedules,
  earningsTasks,
  REFRESH_HELD_EARNINGS,
  refreshHeldEarnings,
} from './holdings/refresh-held-earnings.ts';
import { addHoldingRoutes, readPositions } from './holdings/routes.ts';
import { resolveHoldingSymbols } from './accounts/resolve-holding-symbols.ts';
import type { SharedRateLimits } from '../../platform/http/redis-rate-limiter.ts';
import { addImportRoutes } from './import/routes.ts';
import type { LookUpListing, SearchListings } from './import/listings.ts';
import { readNetWorthSince } from './net-worth/read-net-worth.ts';
import { addNetWorthRoutes } from './net-worth/routes.ts';
import { prepareDemoPortfolio } from './demo/prepare-demo-portfolio.ts';
import { toPositionPartResponse } from './holdings/holding-responses.ts';
import { listHeldSymbols, listPositionParts } from './holdings/queries.ts';
import { seededListings, seedPortfolios } from './demo/seed-portfolios.ts';
import { snapshotSchedules, snapshotTasks, downsampleSchedules } from './net-worth/record-snapshots.ts';

/** What the dashboard reads of other features. */
type DashboardSources = Pick<
  DashboardDependencies,
  'readWatched' | 'listWatchedSymbols' | 'isWatchlistOn' | 'readHomeList' | 'listConnections'
>;

interface PortfolioDependencies {
  database: Database;
  logger: Logger;
  jobs: Pick<Jobs, 'add'>;
  market: Pick<
    MarketDataService,
    | 'earnings'
    | 'news'
    | 'refreshEarnings'
    | 'dividends'
    | 'requestDividends'
    | 'refreshDividends'
    | 'registerSymbol'
    | 'lookUpTicker'
    | 'search'
    | 'backfillNow'
    | 'refreshNow'
    | 'calendar'
    | 'source'
  >;
  exchangeRates: Pick<ExchangeRates, 'read'>;
  /** Rate-limited look-up for all requests of members. */
  lookUp: RateLimitedLookup;
  guards: Guards;
  /** Creates the limiter of imports (default: limits of this process). */
  createLimiter?: SharedRateLimits['createLimiter'];
  now?: () => Date;
}

/** Maximum number of hits in which an import finds the listing of a currency. */
const IMPORT_SEARCH_LIMIT = 20;

/** Owner of the holdings, for the functions that other features call. */
type PortfolioOwner = Pick<Member, 'idpId' | 'sessionId'>;

export interface Portfolio extends Feature {
  register(app: HttpApp): Promise<void>;
  /** Returns the member's holdings of one symbol per account, oldest account first. */
  listPositions(member: PortfolioOwner, symbol: string): Promise<PositionPart[]>;
  /** Returns the member's holdings of each symbol across accounts, by symbol, with how each figure came about. */
  getPortfolio(member: PortfolioOwner): Promise<{ positions: Position[]; sample_data: boolean }>;
  /** Returns the current net worth, how it came about, and its daily values of the last `days` days. */
  getNetWorth(member: PortfolioOwner, days: number): Promise<NetWorthResponse>;
  /** Returns the dividend income of the member's holdings, by month and security, with its totals. */
  getDividendIncome(member: PortfolioOwner): ReturnType<typeof listMonthlyIncome>;
  /** Returns the symbols that the member holds, without duplicates. */
  listHeldSymbols(member: PortfolioOwner): Promise<string[]>;
  /** Returns the numbers of a member's accounts and holdings. */
  countAccountsAndHoldings(idpId: string): Promise<{ accounts: number; holdings: number }>;
  /**
   * Resolves a connection's holdings to symbols of the catalog and looks up missing ones. Call it outside a
   * transaction.
   */
  resolveHoldingSymbols(idpId: string, holdings: readonly ConnectedHolding[]): Promise<ConnectedHolding[]>;
  /** Replaces a connection's accounts and holdings by a complete reading. The caller must hold the member's lock. */
  replaceConnectedPortfolio(sql: ServiceSql, portfolio: ConnectedPortfolio): Promise<void>;
  /**
   * Runs another feature's change of a member's accounts and records what it adds to net worth or withdraws from it.
   * Must be called in the change's transaction.
   */
  recordFlows<Result>(sql: ServiceSql, idpId: string, change: () => Promise<Result>): Promise<Result>;
  /** Creates the dashboard, whose cards also show the watchlist and connections. */
  createDashboard(sources: DashboardSources): Dashboard;
  seedFromMarket(accounts: SeededAccounts): Promise<void>;
  tasks: Tasks;
  schedules: readonly Schedule[];
}

/** Creates the feature that holds accounts, holdings and net worth. */
export function createPortfolio(deps: PortfolioDependencies): Portfolio {
  const { database, jobs, logger, market, exchangeRates, guards, now = () => new Date() } = deps;
  const access = createMemberAccess(database, guards);
  const { asMember } = access;
  const sql = database.service;
  const conversionContext = { market, exchangeRates, now };
  const registerSymbol: RegisterSymbol = (idpId, symbol) =>
    deps.lookUp(idpId, symbol, (symbolToRegister) => market.registerSymbol(symbolToRegister));

  /**
   * The reports are refreshed once a day, but those of a newly held company should appear earlier. Five attempts
   * outlast an exhausted minute.
   */
  const requestReports = (symbols: readonly string[], key: string): void => {
    jobs
      .add(REFRESH_HELD_EARNINGS, { symbols: [...symbols] }, { key: `earnings:${key}`, maxAttempts: 5 })
      .catch((err: unknown) => logger.warn({ err, symbols }, 'failed to request the reports of newly held companies'));
  };
  const onHoldingAdded = (symbol: string): void => requestReports([symbol], symbol);
  const lookUpForImport =
    (idpId: string, dryRun: boolean): LookUpListing =>
    async (symbol) => {
      const found = await deps.lookUp(idpId, symbol, dryRun ? market.lookUpTicker : market.registerSymbol);
      return found.ok ? { ok: true, listing: found.ticker } : found;
    };
  const searchForImport =
    (idpId: string): SearchListings =>
    async (text) => {
      const searched = await deps.lookUp(idpId, `search ${text}`, async () => {
        const { hits } = await market.search(text, IMPORT_SEARCH_LIMIT);
        return { ok: true as const, hits };
      });
      return searched.ok ? searched.hits : [];
    };

  const listHeld = (member: PortfolioOwner) => listHeldSymbols(asMember(member));

  return {
    name: 'portfolio',
    memberRows,
    onUserDeleted: deletePortfolio,
    async register(app) {
      await app.register(async (scope) => {
        guardRoutes(scope, { reads: guards.member, writes: guards.editor({ rejects: ['sample-user'] }) });
        addAccountRoutes(scope, { ...access, sql, ...conversionContext });
        addHoldingRoutes(scope, {
          ...access,
          ...conversionContext,
          marketSql: database.marketReads,
          registerSymbol,
          onHoldingAdded,
        });
        const { createLimiter } = deps;
        addImportRoutes(scope, {
          ...access,
          database,
          createLimiter,
          lookUp: lookUpForImport,
          search: searchForImport,
          onCompaniesAdded: requestReports,
        });
        addNetWorthRoutes(scope, { ...access, ...conversionContext });
      });
    },
    listPositions: async (member, symbol) =>
      (await listPositionParts(asMember(member), symbol)).map(toPositionPartResponse),
    getPortfolio: (member) => readPositions(conversionContext, asMember(member), member.idpId, true),
    getNetWorth: (member, days) =>
      readNetWorthSince(conversionContext, asMember(member), member.idpId, { days, isExplained: true }),
    getDividendIncome: (member) => listMonthlyIncome({ ...conversionContext, logger }, asMember(member)),
    listHeldSymbols: listHeld,
    countAccountsAndHoldings: (idpId) => countAccountsAndHoldings(sql, idpId),
    resolveHoldingSymbols: (idpId, holdings) => resolveHoldingSymbols({ sql, registerSymbol }, idpId, holdings),
    replaceConnectedPortfolio,
    recordFlows,
    createDashboard: (sources) =>
      createDashboard({ ...access, sql, logger, market, exchangeRates, now, listHeldSymbols: listHeld, ...sources }),
    prepareDemo: (idpId) =>
      prepareDemoPortfolio({ sql, market }, idpId, {
        today: market.calendar.toNewYorkDate(now()),
        sessionDay: market.calendar.getLatestSessionDay(now()),
      }),
    async seedFromMarket({ members, sampleUserIdpUserId }) {
      const owners = members.map((member) => member.idp_user_id);
      if (sampleUserIdpUserId !== undefined) owners.push(sampleUserIdpUserId);
      await fetchHistories(market, await registerExistingSymbols(market, seededListings));
      await seedPortfolios(sql, owners, market.calendar.toNewYorkDate(now()));
      // The daily job calls a provider. Only the simulator is called here.
      if (market.source !== 'simulator') return;
      await refreshHeldEarnings({ sql, market });
      await market.refreshDividends();
    },
    tasks: { ...snapshotTasks({ sql, calendar: market.calendar, now }), ...earningsTasks({ sql, market }) },
    schedules: [...snapshotSchedules, ...downsampleSchedules, ...earningsSchedules],
  };
}
