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
  /** The folder of the built web app; without the entry page in it the API runs alone. */
  webRoot?: string | undefined;
  /** Another origin that the entry page calls, which is the hosted provider's. */
  connectTo?: string | undefined;
  metrics: Pick<RequestMetrics, 'registry'>;
  /** Without it the operator's routes answer NOT_CONFIGURED. */
  operatorToken: string | undefined;
  /** Requests a minute that one address may send, an operator's and a viewer's each. */
  requestsPerMinute: number;
  /** Makes those limits (default: this process counts them). */
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

/** Links that sign a viewer in to the shared demo account, once each. */
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
        (err) => logger.error({ err }, 'pending revocations could not be counted'),
      );
      addDemoAccessRoutes(app, { ...deps, operator, limiter: createLimiter({ name: 'demo-access-complete', limit }) });
      await addEntryPage(app, deps);
    },
    tasks: createDemoAccessTasks(deps),
    schedules: demoAccessSchedules,
    onUserDeleted: deleteInvitations,
    /** Notes what the provider tells of a session, in the transaction of its delivery. */
    async onSessionEvent(transaction: ServiceSql, { type, sessionId }: SessionEvent): Promise<void> {
      if (type === 'session.created') return; // the sign-in that it belongs to reads more of it
      const status = type.slice('session.'.length);
      await storeSessionSnapshots(transaction, [{ sessionId, status, lastActiveAt: null, expiresAt: null }]);
    },
  } satisfies Slice & { onSessionEvent: unknown };
}
