import type { Logger } from 'pino';
import type { Analytics } from '../../platform/analytics/analytics.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { MemberSql } from '../../platform/database/roles.ts';
import type { SharedRateLimits } from '../../platform/http/redis-rate-limiter.ts';
import type { Guards } from '../../platform/identity/guards.ts';
import type { MemberRef } from '../../platform/identity/member.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import type { RateLimitedLookup } from '../../market-data/services/catalog/lookup-rate-limit.ts';
import type { MarketDataService } from '../../market-data/services/market-data-service.ts';

export interface AlertDependencies {
  database: Database;
  logger: Logger;
  guards: Guards;
  baseUrl: string;
  market: Pick<MarketDataService, 'registerSymbol' | 'requestBackfill'>;
  /** Rate-limited look-up for every look-up that a member causes. */
  lookUp: RateLimitedLookup;
  /** Returns the plan, or `ok: false` if it is unavailable. Never throws. */
  getTier: (idpId: string) => Promise<{ ok: true; watchlist_limit: number } | { ok: false }>;
  createLimiter: SharedRateLimits['createLimiter'];
  captureInTransaction: Analytics['captureInTransaction'];
  /** Sends mails. Undefined if the installation sends none. */
  mailer: Mailer | undefined;
  /** Returns the confirmed address of a member, or undefined if there is none. Throws if it cannot be looked up. */
  findConfirmedAddress: (idpId: string) => Promise<string | undefined>;
}

/** Context of one request: the dependencies, the calling member, and the database handle with the member's rights. */
export interface ChangeContext {
  deps: AlertDependencies;
  member: MemberRef;
  sql: MemberSql;
  /** True if the visitor's browser declined analytics. */
  doNotTrack: boolean;
}
