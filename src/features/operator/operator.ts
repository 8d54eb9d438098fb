import { AppError } from '../../errors.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import {
  deleteFlagMember,
  type FlagRow,
  selectFlagFor,
  selectFlags,
  updateFlagShare,
  upsertFlagMember,
} from '../../platform/feature-flags/queries.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { createRateLimiter } from '../../platform/http/rate-limit.ts';
import type { SharedRateLimits } from '../../platform/http/redis-rate-limiter.ts';
import { route } from '../../platform/http/route.ts';
import { readVersion } from '../../platform/http/version.ts';
import type { createMemberManagement, Removal } from '../../platform/identity/manage-members.ts';
import { findMembers } from '../../platform/identity/queries.ts';
import { createOperatorGuard } from '../../platform/identity/operator-guard.ts';
import { rescheduleJobs, selectStuckJobs } from '../../platform/jobs/queries.ts';
import type { Feature } from '../../feature.ts';
import {
  type AssistantUse,
  type CallBudgets,
  type Flags,
  type Installation,
  type OperatorKeys,
  routes,
} from './contract.ts';
import { createOperatorSessions } from './operator-session.ts';
import { readUpdateNotes } from './update-notes.ts';

export interface OperatorDependencies {
  sql: ServiceSql;
  /** OPERATOR_TOKEN. Without it the routes return 404. */
  token: string | undefined;
  baseUrl: string;
  createLimiter?: SharedRateLimits['createLimiter'] | undefined;
  members: ReturnType<typeof createMemberManagement>;
  checkInstallation(): Promise<Installation['findings']>;
  listKeys(): Promise<OperatorKeys['keys']>;
  /** Revokes a key. Returns `false` if it does not exist. */
  revokeKey(id: string): Promise<boolean>;
  readCallBudgets(): Promise<CallBudgets['budgets']>;
  readAssistantUse(): Promise<Omit<AssistantUse, 'daily_tokens'>>;
  /** ASSISTANT_DAILY_TOKENS_TOTAL. */
  dailyTokens: number;
  /** Whether REVENUE_OPERATOR_TOKEN opens the page of revenue. */
  hasRevenue: boolean;
}

const MAX_SIGN_INS_PER_MINUTE = 20;
const MAX_CALLS_PER_MINUTE = 240;
const MAX_JOBS = 200;
const MEMBERS_PER_PAGE = 25;

/** Creates the feature of `/api/operator`: health, queue, members, keys and flags for the holder of OPERATOR_TOKEN. */
export function createOperator(deps: OperatorDependencies): Feature {
  const { sql, token, baseUrl, createLimiter = createRateLimiter } = deps;
  const sessions = createOperatorSessions({
    sql,
    token,
    baseUrl,
    limiter: createLimiter({ name: 'operator', limit: MAX_CALLS_PER_MINUTE }),
  });
  const signInGuard = createOperatorGuard({
    name: 'OPERATOR_TOKEN',
    token,
    missingSettingCode: 'NOT_FOUND',
    limiter: createLimiter({ name: 'operator-sign-in', limit: MAX_SIGN_INS_PER_MINUTE }),
  });
  return {
    name: 'operator',
    register(app) {
      route(app, routes.startOperatorSession, { guard: signInGuard }, async (_request, reply) =>
        reply
          .header('set-cookie', await sessions.start())
          .header('cache-control', 'no-store')
          .code(204)
          .send(),
      );
      addSessionRoutes(app, deps, sessions);
    },
  };
}

function addSessionRoutes(
  app: HttpApp,
  { sql, members, ...deps }: OperatorDependencies,
  { guard, end }: ReturnType<typeof createOperatorSessions>,
): void {
  app.register(async (scope: HttpApp) => {
    scope.addHook('onSend', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });
    route(scope, routes.endOperatorSession, { guard }, async (request, reply) =>
      reply
        .header('set-cookie', await end(request))
        .code(204)
        .send(),
    );
    route(scope, routes.getInstallation, { guard }, async () => ({
      version: readVersion(),
      has_revenue: deps.hasRevenue,
      findings: await deps.checkInstallation(),
    }));
    route(scope, routes.getUpdateNotes, { guard }, async () => readUpdateNotes());
    route(scope, routes.getCallBudgets, { guard }, async () => ({ budgets: await deps.readCallBudgets() }));
    route(scope, routes.getAssistantUse, { guard }, async () => ({
      ...(await deps.readAssistantUse()),
      daily_tokens: deps.dailyTokens,
    }));
    route(scope, routes.listStuckJobs, { guard }, async () => {
      const jobs = await selectStuckJobs(sql, MAX_JOBS);
      return { jobs: jobs.map((job) => ({ ...job, run_at: job.run_at.toISOString() })) };
    });
    route(scope, routes.retryJob, { guard }, async (request, reply) => {
      const retried = await rescheduleJobs(sql, [request.params.id]);
      if (retried.length === 0) throw new AppError('NOT_FOUND', { message: 'The job does not exist or is running.' });
      return reply.code(204).send();
    });
    route(scope, routes.listMembers, { guard }, ({ query }) =>
      members.list({ search: query.search || undefined, after: query.after, limit: MEMBERS_PER_PAGE }),
    );
    route(scope, routes.deleteMember, { guard }, async (request, reply) => {
      throwUnlessDone(await members.remove(request.params.id));
      request.log.warn({ member: request.params.id }, 'the operator deleted a member');
      return reply.code(204).send();
    });
    route(scope, routes.listOperatorKeys, { guard }, async () => ({ keys: await deps.listKeys() }));
    route(scope, routes.revokeOperatorKey, { guard }, async (request, reply) => {
      if (!(await deps.revokeKey(request.params.id))) throw new AppError('NOT_FOUND');
      return reply.code(204).send();
    });
    route(scope, routes.listFlags, { guard }, async () => ({ flags: (await selectFlags(sql)).map(toFlag) }));
    route(scope, routes.setFlag, { guard }, async (request, reply) => {
      if (!(await updateFlagShare(sql, request.params.flag, request.body.percentage))) throw new AppError('NOT_FOUND');
      return reply.code(204).send();
    });
    route(scope, routes.setFlagMember, { guard }, async (request, reply) => {
      await setFlagMember(sql, request.params.flag, request.body);
      return reply.code(204).send();
    });
  });
}

/** Maximum number of ids of a flag in a response. */
const MAX_FLAG_MEMBERS = 50;

function toFlag({ flag, percentage, on_for: on, off_for: off }: FlagRow): Flags['flags'][number] {
  const toMembers = (ids: readonly string[]) => ({ count: ids.length, ids: ids.slice(0, MAX_FLAG_MEMBERS) });
  return { flag, percentage, on_for: toMembers(on), off_for: toMembers(off) };
}

/** Turns an existing flag on or off for a member, or removes the setting. Throws if there is no such flag or member. */
async function setFlagMember(
  sql: ServiceSql,
  flag: string,
  { member, enabled }: { member: string; enabled: boolean | null },
): Promise<void> {
  if ((await selectFlagFor(sql, flag, '')).length === 0)
    throw new AppError('NOT_FOUND', { message: 'There is no such flag.' });
  const [found, ...others] = await findMembers(sql, member);
  if (others.length > 0)
    throw new AppError('CONFLICT', { message: 'Several members have this address. Enter an id instead.' });
  const idpId = found?.idp_id ?? member;
  const isSet =
    enabled === null ? await deleteFlagMember(sql, flag, idpId) : await upsertFlagMember(sql, flag, idpId, enabled);
  if (!isSet) throw new AppError('NOT_FOUND', { message: 'There is no such member.' });
}

const REFUSALS: Readonly<Record<Exclude<Removal, 'done' | 'not_found'>, string>> = {
  demo_account: 'This is the demo account, which sign-in links open. It cannot be deleted.',
  sample_user: 'This is the user of the sample portfolio, who cannot be deleted.',
  external_provider: 'Delete this account at the identity provider. Its event then deletes the member here.',
};

function throwUnlessDone(removal: Removal): void {
  if (removal === 'not_found') throw new AppError('NOT_FOUND');
  if (removal !== 'done') throw new AppError('CONFLICT', { message: REFUSALS[removal] });
}
