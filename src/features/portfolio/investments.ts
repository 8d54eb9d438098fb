import type { Logger } from 'pino';
import type { Database } from '../../platform/database/connect.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { guardRoutes } from '../../platform/http/guard.ts';
import type { Guards } from '../../platform/identity/guards.ts';
import { memberAccess } from '../../platform/identity/member-access.ts';
import type { Member } from '../../platform/identity/member.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Schedule, Tasks } from '../../platform/jobs/task.ts';
import type { LookUp } from '../../market-data/services/catalog/lookup-rate-limit.ts';
import { registerKnown } from '../../market-data/services/catalog/register-known.ts';
import type { MarketDataService } from '../../market-data/services/market-data-service.ts';
import type { SeededAccounts, Slice } from '../../slice.ts';
import { deletePortfolioOf, portfolioSizeOf } from './account-queries.ts';
import { addAccountRoutes } from './account-routes.ts';
import type { RegisterFor } from './add-investment.ts';
import { type ConnectedHolding, type ConnectedPortfolio, writeConnected } from './connected-queries.ts';
import type { NetWorthResponse, Position, PositionPart } from './contract.ts';
import { memberRows } from './export-queries.ts';
import { earningsSchedules, earningsTasks, FILL_EARNINGS, fillEarnings } from './fill-earnings.ts';
import { addHoldingRoutes, readPositions } from './holding-routes.ts';
import { nameHoldings } from './name-holdings.ts';
import { addNetWorthRoute, netWorthSince } from './net-worth-routes.ts';
import { prepareDemoPortfolio } from './prepare-demo-portfolio.ts';
import { presentPart } from './present-holdings.ts';
import { listHeldSymbols, listPositionParts } from './queries.ts';
import { seededListings, seedInvestments } from './seed-investments.ts';
import { snapshotSchedules, snapshotTasks, thinSchedules } from './take-snapshots.ts';

interface InvestmentsDependencies {
  database: Database;
  logger: Logger;
  jobs: Pick<Jobs, 'add'>;
  market: Pick<
    MarketDataService,
    'fillReports' | 'registerSymbol' | 'backfillNow' | 'refreshNow' | 'calendar' | 'source'
  >;
  /** What every look-up that a member causes goes through. */
  lookUp: LookUp;
  guards: Guards;
  now?: () => Date;
}

/** Whose holdings are meant, for the functions that other slices are handed. */
type Owner = Pick<Member, 'idpId' | 'sessionId'>;

export interface Investments extends Slice {
  register(app: HttpApp): Promise<void>;
  /** What the member holds of one symbol, per account, oldest account first. */
  positionsOf(member: Owner, symbol: string): Promise<PositionPart[]>;
  /** What the member holds of each symbol across accounts, by symbol. */
  portfolioOf(member: Owner): Promise<{ positions: Position[]; sample_data: boolean }>;
  /** The net worth now, and its ends of days as far back as `days`. */
  netWorthOf(member: Owner, days: number): Promise<NetWorthResponse>;
  /** Symbols that the member holds, each once. */
  heldSymbols(member: Owner): Promise<string[]>;
  /** How many accounts a member has, and how many holdings. */
  portfolioSizeOf(idpId: string): Promise<{ accounts: number; holdings: number }>;
  /** A connection's holdings with the catalog's symbols, looked up where it lacks them; outside a transaction. */
  nameHoldings(idpId: string, holdings: readonly ConnectedHolding[]): Promise<ConnectedHolding[]>;
  /** Puts a complete reading in the place of a connection's accounts and holdings; under the member's lock. */
  writeConnected(sql: ServiceSql, portfolio: ConnectedPortfolio): Promise<void>;
  seedFromMarket(accounts: SeededAccounts): Promise<void>;
  tasks: Tasks;
  schedules: readonly Schedule[];
}

/** Wires the slice: accounts, holdings, net worth. */
export function createInvestments(deps: InvestmentsDependencies): Investments {
  const { database, jobs, logger, market, guards, now = () => new Date() } = deps;
  const access = memberAccess(database, guards);
  const { asMember } = access;
  const sql = database.service;
  const registerFor: RegisterFor = (idpId, symbol) =>
    deps.lookUp(idpId, symbol, (unknown) => market.registerSymbol(unknown));

  /**
   * The table of reports is filled once a day; a company that is held from now on should not wait for it. Five tries
   * outlast a spent minute.
   */
  const onHeld = (symbol: string): void => {
    jobs
      .add(FILL_EARNINGS, { symbols: [symbol] }, { key: `earnings:${symbol}`, maxAttempts: 5 })
      .catch((err: unknown) => logger.warn({ err, symbol }, 'the reports of a newly held company were not asked for'));
  };

  return {
    name: 'investments',
    memberRows,
    onUserDeleted: deletePortfolioOf,
    async register(app) {
      await app.register(async (scope) => {
        guardRoutes(scope, { reads: guards.member, writes: guards.editor({ refuses: ['sample-user'] }) });
        addAccountRoutes(scope, { ...access, sql });
        addHoldingRoutes(scope, { ...access, registerFor, onHeld });
        addNetWorthRoute(scope, { ...access, market, now });
      });
    },
    positionsOf: async (member, symbol) => (await listPositionParts(asMember(member), symbol)).map(presentPart),
    portfolioOf: (member) => readPositions(asMember(member)),
    netWorthOf: (member, days) => netWorthSince({ market, now }, asMember(member), member.idpId, days),
    heldSymbols: (member) => listHeldSymbols(asMember(member)),
    portfolioSizeOf: (idpId) => portfolioSizeOf(sql, idpId),
    nameHoldings: (idpId, holdings) => nameHoldings({ sql, registerFor }, idpId, holdings),
    writeConnected,
    prepareDemo: (idpId) => prepareDemoPortfolio({ sql, market }, idpId, market.calendar.newYorkDate(now())),
    async seedFromMarket({ members, sampleUserIdpUserId }) {
      const owners = members.map((member) => member.idp_user_id);
      if (sampleUserIdpUserId !== undefined) owners.push(sampleUserIdpUserId);
      await registerKnown(market, seededListings);
      await seedInvestments(sql, owners, market.calendar.newYorkDate(now()));
      // A provider is asked by the daily job.
      if (market.source === 'simulator') await fillEarnings({ sql, market });
    },
    tasks: { ...snapshotTasks({ sql, calendar: market.calendar, now }), ...earningsTasks({ sql, market }) },
    schedules: [...snapshotSchedules, ...thinSchedules, ...earningsSchedules],
  };
}
