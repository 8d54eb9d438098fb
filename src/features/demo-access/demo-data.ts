import type { Schedule, TaskName } from '../../platform/jobs/task.ts';
import type { Feature } from '../../feature.ts';
import type { Logger } from 'pino';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { markResettable, isResettable } from './reset-queries.ts';
import { type DemoReset, type DemoResetDependencies, resetDemo, type ResetOptions } from './reset-demo.ts';

const RESET_DEMO = 'reset-demo-data' as TaskName<Record<string, never>>;

interface DemoDataDependencies extends DemoResetDependencies {
  logger: Pick<Logger, 'info'>;
  /** Time of day in UTC, HH:MM. Without it the data is reset only by command. */
  resetAt: string | undefined;
}

/** Creates the data of the demo account, which is reset each day at `resetAt`. */
export function createDemoData(deps: DemoDataDependencies) {
  const { resetAt } = deps;
  const [hours, minutes] = (resetAt ?? '').split(':').map(Number);
  const dailySchedule: Schedule = { task: RESET_DEMO, match: `${minutes} ${hours} * * *`, backfillMinutes: 240 };
  return {
    name: 'demo-data',
    /** Resets the data now. See `resetDemo`. */
    reset: (options: ResetOptions = {}): Promise<DemoReset> => resetDemo(deps, options),
    /** The account of the first run was created as the demo account. */
    async seed({ demoAccountIdpUserId: id }) {
      if (id !== undefined) await markResettable(deps.sql, id);
    },
    tasks: { [RESET_DEMO]: () => resetDaily(deps) },
    schedules: resetAt === undefined ? [] : [dailySchedule],
  } satisfies Feature & { reset(options?: ResetOptions): Promise<DemoReset> };
}

/** Runs the daily reset. An account with its own data is skipped, which is not a failure of the job. */
async function resetDaily(deps: DemoDataDependencies): Promise<void> {
  if (deps.accounts.demoAccountId === undefined) return;
  const reset = await resetDemo(deps);
  if (!reset.ok) deps.logger.info({ reason: reset.message }, 'demo account was not reset');
}

/**
 * Returns a reader of the daily reset time, shown to viewers. The reader returns null if no time is configured, if no
 * reset created the data, and while the database is unavailable.
 */
export function createResetTimeReader(
  sql: ServiceSql,
  resetAt: string | undefined,
): (idpId: string) => Promise<string | null> {
  // An account that was reset once remains resettable.
  const resettableAccounts = new Set<string>();
  return async (idpId) => {
    if (resetAt === undefined) return null;
    if (!resettableAccounts.has(idpId) && (await isResettable(sql, idpId).catch(() => false)))
      resettableAccounts.add(idpId);
    return resettableAccounts.has(idpId) ? resetAt : null;
  };
}
