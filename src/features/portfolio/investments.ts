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
import type { SeededAccounts, Slice } from '../../slice.ts';
import { deletePortfolio, countAccountsAndHoldings } from './account-queries.ts';
import { addAccountRoutes } from './account-routes.ts';
import type { RegisterSymbol } from './add-investment.ts';
import { type ConnectedHolding, type ConnectedPortfolio, replaceConnectedPortfolio } from './connected-queries.ts';
import type { NetWorthResponse, Position, PositionPart } from './contract.ts';
import { memberRows } from './export-queries.ts';
import { recordFlows } from './flow-queries.ts';
import {
  earningsSchedules,
  earningsTasks,
  REFRESH_HELD_EARNINGS,
  refreshHeldEarnings,
} from './refresh-held-earnings.ts';
import { addHoldingRoutes, readPositions } from './holding-routes.ts';
import { resolveHoldingSymbols } from './resolve-holding-symbols.ts';
import type { SharedRateLimits } from '../../platform/http/redis-rate-limiter.ts';
import { addImportRoutes } from './import/routes.ts';
import type { LookUpListing } from './import/resolve-positions.ts';
import { addNetWorthRoute, readNetWorthSince } from './net-worth-routes.ts';
import { prepareDemoPortfolio } from './prepare-demo-portfolio.ts';
import { toPositionPartResponse } from './holding-responses.ts';
import { listHeldSymbols, listPositionParts } from './queries.ts';
import { seededListings, seedInvestments } from './seed-investments.ts';
import { snapshotSchedules, snapshotTasks, downsampleSchedules } from './record-snapshots.ts';

interface InvestmentsDependencies {
  database: Database;
  logger: Logger;
  jobs: Pick<Jobs, 'add'>;
  market: Pick<
    MarketDataService,
    'refreshEarnings' | 'registerSymbol' | 'lookUpTicker' | 'backfillNow' | 'refreshNow' | 'calendar' | 'source'
  >;
  exchangeRates: Pick<ExchangeRates, 'read'>;
  /** Rate-limited look-up for all requests of members. */
  lookUp: RateLimitedLookup;
  guards: Guards;
  /** Creates the limiter of imports (default: limits of this process). */
  createLimiter?: SharedRateLimits['createLimiter'];
  now?: () => Date;
}

/** Owner of the holdings, for the functions that other features call. */
type PortfolioOwner = Pick<Member, 'idpId' | 'sessionId'>;

export interface Investments extends Slice {
  register(app: HttpApp): Promise<void>;
  /** Returns the member's holdings of one symbol per account, oldest account first. */
  listPositions(member: PortfolioOwner, symbol: string): Promise<PositionPart[]>;
  /** Returns the member's holdings of each symbol across accounts, by symbol, with how each figure came about. */
  getPortfolio(member: PortfolioOwner): Promise<{ positions: Position[]; sample_data: boolean }>;
  /** Returns the current net worth, how it came about, and its daily values of the last `days` days. */
  getNetWorth(member: PortfolioOwner, days: number): Promise<NetWorthResponse>;
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
  seedFromMarket(accounts: SeededAccounts): Promise<void>;
  tasks: Tasks;
  schedules: readonly Schedule[];
}

/** Creates the feature that holds accounts, holdings and net worth. */
export function createInvestments(deps: InvestmentsDependencies): Investments {
  const { database, jobs, logger, market, exchangeRates, guards, now = () => new Date() } = deps;
  const access = createMemberAccess(database, guards);
  const { readAsMember } = access;
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

  return {
    name: 'investments',
    memberRows,
    onUserDeleted: deletePortfolio,
    async register(app) {
      await app.register(async (scope) => {
        guardRoutes(scope, { reads: guards.member, writes: guards.editor({ rejects: ['sample-user'] }) });
        addAccountRoutes(scope, { ...access, sql, ...conversionContext });
        addHoldingRoutes(scope, { ...access, ...conversionContext, registerSymbol, onHoldingAdded });
        const { createLimiter } = deps;
        addImportRoutes(scope, {
          ...access,
          database,
          createLimiter,
          lookUp: lookUpForImport,
          onCompaniesAdded: requestReports,
        });
        addNetWorthRoute(scope, { ...access, ...conversionContext });
      });
    },
    listPositions: async (member, symbol) =>
      (await listPositionParts(readAsMember(member), symbol)).map(toPositionPartResponse),
    getPortfolio: (member) => readPositions(conversionContext, readAsMember(member), member.idpId, true),
    getNetWorth: (member, days) =>
      readNetWorthSince(conversionContext, readAsMember(member), member.idpId, { days, isExplained: true }),
    listHeldSymbols: (member) => listHeldSymbols(readAsMember(member)),
    countAccountsAndHoldings: (idpId) => countAccountsAndHoldings(sql, idpId),
    resolveHoldingSymbols: (idpId, holdings) =>
      resolveHoldingSymbols({ sql, registerSymbol: registerSymbol }, idpId, holdings),
    replaceConnectedPortfolio,
    recordFlows,
    prepareDemo: (idpId) => prepareDemoPortfolio({ sql, market }, idpId, market.calendar.toNewYorkDate(now())),
    async seedFromMarket({ members, sampleUserIdpUserId }) {
      const owners = members.map((member) => member.idp_user_id);
      if (sampleUserIdpUserId !== undefined) owners.push(sampleUserIdpUserId);
      await registerExistingSymbols(market, seededListings);
      await seedInvestments(sql, owners, market.calendar.toNewYorkDate(now()));
      // The daily job calls a provider. Only the simulator is called here.
      if (market.source === 'simulator') await refreshHeldEarnings({ sql, market });
    },
    tasks: { ...snapshotTasks({ sql, calendar: market.calendar, now }), ...earningsTasks({ sql, market }) },
    schedules: [...snapshotSchedules, ...downsampleSchedules, ...earningsSchedules],
  };
}
