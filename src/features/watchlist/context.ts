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

/** Market-data functions that the feature uses. */
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
  /** Returns whether a rollout flag is on for a member. Never throws. */
  isOn: (flag: string, idpId: string) => Promise<boolean>;
  /** Returns the tier, or `ok: false` if the tier is unavailable. The tier is never guessed. Never throws. */
  getTier: (idpId: string) => Promise<({ ok: true } & TierWithLimit) | { ok: false }>;
  getWatchlistLimit: (tier: WatchlistTier) => Promise<number>;
  market: WatchlistMarket;
  /** Rate-limited look-up for every look-up that a member causes. */
  lookUp: RateLimitedLookup;
  /** Returns the member's holdings of one symbol, one entry per account. */
  listPositions: (member: MemberRef, symbol: string) => Promise<Position[]>;
  /** Captures an event of a request that changed nothing. Returns at once and never throws. */
  capture: Analytics['capture'];
  /** Writes events in the transaction of the change that they report. */
  captureInTransaction: Analytics['captureInTransaction'];
  now: () => Date;
}

/** Context of one request: the dependencies, the calling member, and the database handle with the member's rights. */
export interface RequestContext {
  deps: WatchlistDependencies;
  member: MemberRef;
  sql: MemberSql;
  tierCache: TierCache;
}

/** Request context of a function that sends events to analytics. */
export interface ChangeContext extends RequestContext {
  /** True if the visitor's browser declined analytics. */
  doNotTrack: boolean;
}

export type CreateContext = (member: MemberRef) => RequestContext;

/**
 * Runs one transaction with two handles: `member` has the rights of the calling member, `service` those of the service.
 */
export const runAsMemberAndService = <T>(
  { deps, member: { idpId, sessionId } }: RequestContext,
  run: (sql: { member: MemberSql; service: ServiceSql }) => Promise<T>,
): Promise<T> => deps.database.transactionAs({ sub: idpId, sid: sessionId }, run);
