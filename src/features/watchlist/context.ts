import type { Logger } from 'pino';
import type { Analytics } from '../../platform/analytics/analytics.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { MemberSql, ServiceSql } from '../../platform/database/roles.ts';
import type { Guards } from '../../platform/identity/guards.ts';
import type { MemberRef } from '../../platform/identity/member.ts';
import type { RateLimitedLookup } from '../../market-data/services/catalog/lookup-rate-limit.ts';
import type { MarketDataService } from '../../market-data/services/market-data-service.ts';
import type { Position, WatchlistTier } from './contract.ts';
import type { TierWithLimit, TierCache } from './tier-cache.ts';

/** What the slice asks of the market-data room. */
export type WatchlistMarket = Pick<
  MarketDataService,
  'source' | 'status' | 'registerSymbol' | 'lookUpSymbol' | 'requestBackfill' | 'earnings' | 'nextReports'
> & {
  calendar: Pick<MarketDataService['calendar'], 'isMarketDay' | 'toNewYorkDate'>;
};

export interface WatchlistDependencies {
  database: Database;
  logger: Logger;
  guards: Guards;
  /** Whether a rollout flag is on for a member; never throws. */
  isOn: (flag: string, idpId: string) => Promise<boolean>;
  /** A tier that is known, or the admission that it is not. Strict: never a guess; never throws. */
  getTier: (idpId: string) => Promise<({ ok: true } & TierWithLimit) | { ok: false }>;
  getWatchlistLimit: (tier: WatchlistTier) => Promise<number>;
  market: WatchlistMarket;
  /** What every look-up that a member causes goes through. */
  lookUp: RateLimitedLookup;
  /** The member's holdings of one symbol, one entry per account. */
  listPositions: (member: MemberRef, symbol: string) => Promise<Position[]>;
  /** Notes an event of what changed nothing; returns at once and never throws. */
  capture: Analytics['capture'];
  /** Writes events in the transaction of the change that they report. */
  captureInTransaction: Analytics['captureInTransaction'];
  now: () => Date;
}

/** What a verb works with: the dependencies, the member who asks and the handle of their rights. */
export interface RequestContext {
  deps: WatchlistDependencies;
  member: MemberRef;
  sql: MemberSql;
  tierCache: TierCache;
}

/** The same for a verb whose events go to analytics. */
export interface ChangeContext extends RequestContext {
  /** The visitor's browser declined analytics. */
  doNotTrack: boolean;
}

export type CreateContext = (member: MemberRef) => RequestContext;

/** One transaction in which `member` has the rights of the member who asks, and `service` those of the service. */
export const runAsMemberAndService = <T>(
  { deps, member: { idpId, sessionId } }: RequestContext,
  run: (sql: { member: MemberSql; service: ServiceSql }) => Promise<T>,
): Promise<T> => deps.database.transactionAs({ sub: idpId, sid: sessionId }, run);
