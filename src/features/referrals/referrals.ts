import type { Logger } from 'pino';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import type { RequestMetrics } from '../../platform/http/metrics.ts';
import type { SharedLimits } from '../../platform/http/shared-limits.ts';
import type { Guards } from '../../platform/identity/guards.ts';
import type { SpecialAccounts } from '../../platform/identity/member.ts';
import type { ProviderClient } from '../../platform/identity/provider-client.ts';
import type { UserCreated } from '../../platform/identity/webhook-events.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Slice } from '../../slice.ts';
import type { ReferralContext } from './context.ts';
import { memberRows } from './export-queries.ts';
import { createReferralLimits, type ReferralRateLimits } from './limits.ts';
import { createLookUp, LOOK_UPS_A_MINUTE } from './look-up-person.ts';
import { markCompletedTask, recordConnection } from './mark-completed.ts';
import { createReferralMetrics } from './metrics.ts';
import { deleteReferralsOf, lockReferred, type SuccessfulConnection } from './queries.ts';
import { addReferralRoutes } from './routes.ts';
import { trackSignupTask, trackUserCreated } from './track-signup.ts';

interface ReferralDependencies {
  sql: ServiceSql;
  logger: Logger;
  metrics: Pick<RequestMetrics, 'registry'>;
  jobs: Pick<Jobs, 'add'>;
  guards: Guards;
  accounts: SpecialAccounts;
  /** The identity provider's Backend API. */
  provider: Pick<ProviderClient, 'getUser'>;
  baseUrl: string;
  /** Without it the open routes have no limits. */
  rateLimits: ReferralRateLimits | undefined;
  /** Makes them (default: this process counts them). */
  limiterOf?: SharedLimits['limiter'];
}

interface Referrals extends Slice {
  register(app: HttpApp): void;
  /** What the commands of operators work with. */
  readonly context: ReferralContext;
  /** Tracks the sign-up of a new person, in the transaction of the provider's delivery. */
  onUserCreated(sql: ServiceSql, event: UserCreated): Promise<void>;
  /**
   * Notes a member's first successful connection and completes their referral, in the transaction that stores the
   * connection and before its other statements. Returns whether it was the first.
   */
  onFirstConnection(sql: ServiceSql, connection: SuccessfulConnection): Promise<boolean>;
}

/** Who invited whom: links, sign-ups by them, and their completion. */
export function createReferrals(deps: ReferralDependencies): Referrals {
  const metrics = createReferralMetrics(deps.metrics.registry);
  const { sql, logger, accounts, guards, baseUrl } = deps;
  const budget = deps.limiterOf?.({ name: 'referrals-look-up', limit: LOOK_UPS_A_MINUTE });
  const lookUp = createLookUp(deps.provider, budget && { budget });
  const context: ReferralContext = { sql, logger, accounts, metrics, lookUp };
  return {
    name: 'referrals',
    memberRows,
    context,
    register(app) {
      const limits = createReferralLimits(deps.rateLimits, metrics, deps.limiterOf);
      addReferralRoutes(app, { ...context, guards, limits, baseUrl, jobs: deps.jobs });
    },
    tasks: { ...trackSignupTask(context), ...markCompletedTask(context) },
    async onUserDeleted(tx, idpId) {
      await lockReferred(tx, idpId);
      await deleteReferralsOf(tx, idpId);
    },
    onUserCreated: (tx, event) => trackUserCreated(context, tx, event),
    onFirstConnection: (tx, connection) => recordConnection(context, tx, connection),
  };
}
