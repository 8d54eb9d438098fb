import type { Schedule, TaskName } from '../../platform/jobs/task.ts';
import type { Slice } from '../../slice.ts';
import type { Logger } from 'pino';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { markResettable, isResettable } from './reset-queries.ts';
import { type DemoReset, type DemoResetDependencies, resetDemo, type ResetOptions } from './reset-demo.ts';

const RESET_DEMO = 'reset-demo-data' as TaskName<Record<string, never>>;

interface DemoDataDependencies extends DemoResetDependencies {
  logger: Pick<Logger, 'info'>;
  /** HH:MM in UTC; without it the data are put back by command alone. */
  resetAt: string | undefined;
}

/** The data that viewers of the demo account see, put back each day at `resetAt`. */
export function createDemoData(deps: DemoDataDependencies) {
  const { resetAt } = deps;
  const [hours, minutes] = (resetAt ?? '').split(':').map(Number);
  const dailySchedule: Schedule = { task: RESET_DEMO, match: `${minutes} ${hours} * * *`, backfillMinutes: 240 };
  return {
    name: 'demo-data',
    /** Puts the data back at once; see `resetDemo`. */
    reset: (options: ResetOptions = {}): Promise<DemoReset> => resetDemo(deps, options),
    /** The account of the first run was made for this. */
    async seed({ demoAccountIdpUserId: id }) {
      if (id !== undefined) await markResettable(deps.sql, id);
    },
    tasks: { [RESET_DEMO]: () => resetDaily(deps) },
    schedules: resetAt === undefined ? [] : [dailySchedule],
  } satisfies Slice & { reset(options?: ResetOptions): Promise<DemoReset> };
}

/** The daily reset. An account whose data are not ours keeps them, which is no failure of the job. */
async function resetDaily(deps: DemoDataDependencies): Promise<void> {
  if (deps.accounts.demoAccountId === undefined) return;
  const reset = await resetDemo(deps);
  if (!reset.ok) deps.logger.info({ reason: reset.message }, 'the demo account keeps its data');
}

/**
 * When the data of an account are put back each day, which its viewers are told: null where no time is set, where our
 * resets have not made them, and while the database is away.
 */
export function createResetTimeReader(
  sql: ServiceSql,
  resetAt: string | undefined,
): (idpId: string) => Promise<string | null> {
  // An account that was reset once stays one.
  const resettableAccounts = new Set<string>();
  return async (idpId) => {
    if (resetAt === undefined) return null;
    if (!resettableAccounts.has(idpId) && (await isResettable(sql, idpId).catch(() => false)))
      resettableAccounts.add(idpId);
    return resettableAccounts.has(idpId) ? resetAt : null;
  };
}
