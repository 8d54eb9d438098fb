import type { Logger } from 'pino';
import type { Analytics } from '../../platform/analytics/analytics.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { MemberSql, ServiceSql } from '../../platform/database/roles.ts';
import type { Guards } from '../../platform/identity/guards.ts';
import type { ReadingMember } from '../../platform/identity/member.ts';
import type { LookUp } from '../../market-data/services/catalog/lookup-rate-limit.ts';
import type { MarketDataService } from '../../market-data/services/market-data-service.ts';
import type { Position, WatchlistTier } from './contract.ts';
import type { KnownTier, KnownTiers } from './known-tiers.ts';

/** What the slice asks of the market-data room. */
export type WatchlistMarket = Pick<
  MarketDataService,
  'source' | 'status' | 'registerSymbol' | 'lookUpSymbol' | 'requestBackfill' | 'earnings' | 'nextReports'
> & {
  calendar: Pick<MarketDataService['calendar'], 'isMarketDay' | 'newYorkDate'>;
};

export interface WatchlistDependencies {
  database: Database;
  logger: Logger;
  guards: Guards;
  /** Whether a rollout flag is on for a member; never throws. */
  isOn: (flag: string, idpId: string) => Promise<boolean>;
  /** A tier that is known, or the admission that it is not. Strict: never a guess; never throws. */
  tierOf: (idpId: string) => Promise<({ ok: true } & KnownTier) | { ok: false }>;
  watchlistLimitOf: (tier: WatchlistTier) => Promise<number>;
  market: WatchlistMarket;
  /** What every look-up that a member causes goes through. */
  lookUp: LookUp;
  /** The member's holdings of one symbol, one entry per account. */
  positionsOf: (member: ReadingMember, symbol: string) => Promise<Position[]>;
  /** Notes an event of what changed nothing; returns at once and never throws. */
  capture: Analytics['capture'];
  /** Writes events in the transaction of the change that they report. */
  captureIn: Analytics['captureIn'];
  now: () => Date;
}

/** What a verb works with: the dependencies, the member who asks and the handle of their rights. */
export interface RequestContext {
  deps: WatchlistDependencies;
  member: ReadingMember;
  sql: MemberSql;
  tiers: KnownTiers;
}

/** The same for a verb whose events go to analytics. */
export interface ChangeContext extends RequestContext {
  /** The visitor's browser declined analytics. */
  declined: boolean;
}

export type ContextOf = (member: ReadingMember) => RequestContext;

/** One transaction in which `member` has the rights of the member who asks, and `service` those of the service. */
export const asMemberAndService = <T>(
  { deps, member: { idpId, sessionId } }: RequestContext,
  work: (sql: { member: MemberSql; service: ServiceSql }) => Promise<T>,
): Promise<T> => deps.database.transactionAs({ sub: idpId, sid: sessionId }, work);
