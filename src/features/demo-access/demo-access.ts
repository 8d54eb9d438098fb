import type { HttpApp } from '../../platform/http/app-type.ts';
import { addGauges } from '../../platform/http/gauges.ts';
import type { RequestMetrics } from '../../platform/http/metrics.ts';
import { createRateLimiter } from '../../platform/http/rate-limit.ts';
import type { SharedRateLimits } from '../../platform/http/redis-rate-limiter.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { Guards } from '../../platform/identity/guards.ts';
import { createOperatorGuard } from '../../platform/identity/operator-guard.ts';
import type { SessionEvent } from '../../platform/identity/webhook-events.ts';
import type { Slice } from '../../slice.ts';
import type { CreateContext } from './create-invitation.ts';
import { addEntryPage } from './entry-page.ts';
import { memberRows } from './export-queries.ts';
import { deleteInvitations, storeSessionSnapshots } from './queries.ts';
import { demoAccessSchedules, createDemoAccessTasks } from './reconcile.ts';
import { readPendingRevocations } from './revocation-queries.ts';
import { addDemoAccessRoutes } from './routes.ts';

interface DemoAccessDependencies extends CreateContext {
  guards: Guards;
  /** Directory of the built web app. Without an entry page in it only the API is served. */
  webRoot?: string | undefined;
  /** Additional origin that the entry page calls: the Frontend API of a hosted provider. */
  connectTo?: string | undefined;
  metrics: Pick<RequestMetrics, 'registry'>;
  /** Without the token, the operator's routes return NOT_CONFIGURED. */
  operatorToken: string | undefined;
  /** Requests per minute from one address, separately for operators and viewers. */
  requestsPerMinute: number;
  /** Creates those limiters (default: limits of this process). */
  createLimiter?: SharedRateLimits['createLimiter'];
}

const GAUGES = {
  pending: {
    name: 'tally_demo_access_pending_revocations',
    help: 'Sign-in links whose revocation the identity provider has not confirmed.',
  },
  oldest: {
    name: 'tally_demo_access_oldest_pending_revocation_seconds',
    help: 'Age of the oldest such revocation; 0 where there is none.',
  },
};

/** Creates the slice of single-use links that sign a viewer in to the shared demo account. */
export function createDemoAccess(deps: DemoAccessDependencies) {
  const { sql, logger, createLimiter = createRateLimiter, requestsPerMinute: limit } = deps;
  const operator = createOperatorGuard({
    name: 'DEMO_ACCESS_OPERATOR_TOKEN',
    token: deps.operatorToken,
    limiter: createLimiter({ name: 'demo-access-operator', limit }),
  });
  return {
    name: 'demo-access',
    memberRows,
    async register(app: HttpApp): Promise<void> {
      addGauges(
        deps.metrics.registry,
        GAUGES,
        () => readPendingRevocations(sql),
        (err) => logger.error({ err }, 'failed to count pending revocations'),
      );
      addDemoAccessRoutes(app, { ...deps, operator, limiter: createLimiter({ name: 'demo-access-complete', limit }) });
      await addEntryPage(app, deps);
    },
    tasks: createDemoAccessTasks(deps),
    schedules: demoAccessSchedules,
    onUserDeleted: deleteInvitations,
    /** Stores a session event of the provider in the transaction of its delivery. */
    async onSessionEvent(transaction: ServiceSql, { type, sessionId }: SessionEvent): Promise<void> {
      if (type === 'session.created') return; // the sign-in reads the session itself
      const status = type.slice('session.'.length);
      await storeSessionSnapshots(transaction, [{ sessionId, status, lastActiveAt: null, expiresAt: null }]);
    },
  } satisfies Slice & { onSessionEvent: unknown };
}
