import type { HttpApp } from '../../platform/http/app-type.ts';
import { addGauges } from '../../platform/http/gauges.ts';
import type { RequestMetrics } from '../../platform/http/metrics.ts';
import { createRateLimiter } from '../../platform/http/rate-limit.ts';
import type { SharedRateLimits } from '../../platform/http/redis-rate-limiter.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { Guards } from '../../platform/identity/guards.ts';
import { createOperatorGuard } from '../../platform/identity/operator-guard.ts';
import type { SessionEvent } from '../../platform/identity/webhook-events.ts';
import type { Feature } from '../../feature.ts';
import { createReadinessCheck, type ReadinessDependencies } from './check-readiness.ts';
import type { CreateContext } from './create-invitation.ts';
import { createDemoData, createResetTimeReader } from './demo-data.ts';
import { addEntryPage, rewriteEntryPageUrl } from './entry-page.ts';
import { memberRows } from './export-queries.ts';
import { deleteInvitations, storeSessionSnapshots } from './queries.ts';
import { demoAccessSchedules, createDemoAccessTasks } from './reconcile.ts';
import { readPendingRevocations } from './revocation-queries.ts';
import { addDemoAccessRoutes } from './routes.ts';
import { createSessionGate } from './session-gate.ts';

interface DemoAccessDependencies extends Omit<CreateContext, 'isReady'>, Omit<ReadinessDependencies, 'accounts'> {
  guards: Guards;
  /** Directory of the built web app. Without an entry page in it only the API is served. */
  webRoot?: string | undefined;
  /** Additional origin that the entry page calls: the Frontend API of a hosted provider. */
  connectTo?: string | undefined;
  metrics: Pick<RequestMetrics, 'registry'>;
  /** Without the token, the operator's routes return NOT_CONFIGURED. */
  operatorToken: string | undefined;
  /** Time of day in UTC, HH:MM, at which the demo account's data is reset. Without it only a command resets it. */
  resetAt?: string | undefined;
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

/** Creates what checks of sessions need before the feature: the gate of the demo account, and its time of reset. */
export const createDemoSessions = ({
  sql,
  strict,
  resetAt,
}: Pick<DemoAccessDependencies, 'sql' | 'resetAt'> & { strict: boolean }) => ({
  gate: createSessionGate({ sql, strict }),
  getResetTime: createResetTimeReader(sql, resetAt),
});

/** Creates the feature of single-use links that sign a viewer in to the shared demo account. */
export function createDemoAccess(dependencies: DemoAccessDependencies) {
  const deps = { ...dependencies, isReady: createReadinessCheck(dependencies) };
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
    rewriteUrl: rewriteEntryPageUrl,
    /** Creates the data of the demo account from what these features prepare. */
    createData: (owners: readonly Feature[]) =>
      createDemoData({ sql, owners, logger, accounts: deps.accounts, resetAt: deps.resetAt }),
    /** Stores a session event of the provider in the transaction of its delivery. */
    async onSessionEvent(transaction: ServiceSql, { type, sessionId }: SessionEvent): Promise<void> {
      if (type === 'session.created') return; // the sign-in reads the session itself
      const status = type.slice('session.'.length);
      await storeSessionSnapshots(transaction, [{ sessionId, status, lastActiveAt: null, expiresAt: null }]);
    },
  } satisfies Feature & Record<'onSessionEvent' | 'rewriteUrl' | 'createData', unknown>;
}
