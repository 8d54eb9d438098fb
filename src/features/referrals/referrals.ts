import type { Logger } from 'pino';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import type { RequestMetrics } from '../../platform/http/metrics.ts';
import type { SharedRateLimits } from '../../platform/http/redis-rate-limiter.ts';
import type { Guards } from '../../platform/identity/guards.ts';
import type { ReservedAccounts } from '../../platform/identity/member.ts';
import type { ProviderClient } from '../../platform/identity/provider-client.ts';
import type { UserCreated } from '../../platform/identity/webhook-events.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Feature } from '../../feature.ts';
import type { ReferralContext } from './context.ts';
import { memberRows } from './export-queries.ts';
import { createReferralLimits, type ReferralRateLimits } from './limits.ts';
import { createPersonLookup, MAX_LOOKUPS_PER_MINUTE } from './look-up-person.ts';
import { markCompletedTask, recordFirstConnection } from './mark-completed.ts';
import { createReferralMetrics } from './metrics.ts';
import { deleteReferralsOfMember, lockReferralOfMember, type SuccessfulConnection } from './queries.ts';
import { addReferralRoutes } from './routes.ts';
import { trackSignupTask, trackUserCreated } from './track-signup.ts';

interface ReferralDependencies {
  sql: ServiceSql;
  logger: Logger;
  metrics: Pick<RequestMetrics, 'registry'>;
  jobs: Pick<Jobs, 'add'>;
  guards: Guards;
  accounts: ReservedAccounts;
  /** Identity provider's Backend API. */
  provider: Pick<ProviderClient, 'getUser'>;
  baseUrl: string;
  /** Rate limits of the open routes. Without them there are no limits. */
  rateLimits: ReferralRateLimits | undefined;
  /** Creates the limiters (default: this process counts). */
  createLimiter?: SharedRateLimits['createLimiter'];
}

interface Referrals extends Feature {
  register(app: HttpApp): void;
  /** Dependencies of the operators' commands. */
  readonly context: ReferralContext;
  /** Tracks the sign-up of a new person in the transaction of the provider's delivery. */
  onUserCreated(sql: ServiceSql, event: UserCreated): Promise<void>;
  /**
   * Records a member's first successful connection and completes their referral. Must run in the transaction that
   * stores the connection, before its other statements. Returns whether it was the first.
   */
  onFirstConnection(sql: ServiceSql, connection: SuccessfulConnection): Promise<boolean>;
}

/** Creates the feature that holds referral links, sign-ups by them, and their completion. */
export function createReferrals(deps: ReferralDependencies): Referrals {
  const metrics = createReferralMetrics(deps.metrics.registry);
  const { sql, logger, accounts, guards, baseUrl } = deps;
  const limiter = deps.createLimiter?.({ name: 'referrals-look-up', limit: MAX_LOOKUPS_PER_MINUTE });
  const lookUp = createPersonLookup(deps.provider, limiter && { limiter });
  const context: ReferralContext = { sql, logger, accounts, metrics, lookUp };
  return {
    name: 'referrals',
    memberRows,
    context,
    register(app) {
      const limits = createReferralLimits(deps.rateLimits, metrics, deps.createLimiter);
      addReferralRoutes(app, { ...context, guards, limits, baseUrl, jobs: deps.jobs });
    },
    tasks: { ...trackSignupTask(context), ...markCompletedTask(context) },
    async onUserDeleted(tx, idpId) {
      await lockReferralOfMember(tx, idpId);
      await deleteReferralsOfMember(tx, idpId);
    },
    onUserCreated: (tx, event) => trackUserCreated(context, tx, event),
    onFirstConnection: (tx, connection) => recordFirstConnection(context, tx, connection),
  };
}
