import type { ServiceSql } from '../../platform/database/roles.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { TaskName, Tasks } from '../../platform/jobs/task.ts';
import { isReservedAccount, recordOutcome, type ReferralContext, REPORT_JOB_OPTIONS } from './context.ts';
import type { ReferralOutcome } from './metrics.ts';
import { completeReferral, insertFirstConnection, lockReferralOfMember, type SuccessfulConnection } from './queries.ts';

/**
 * Records a member's first connection and completes their referral, in the transaction that stores the connection.
 * Later connections have no effect. Must be called first in the transaction, because it takes the lock of tracking.
 * Without the lock a concurrently tracked sign-up would stay uncompleted. Returns whether the connection was the first.
 */
export async function recordFirstConnection(
  context: ReferralContext,
  sql: ServiceSql,
  connection: SuccessfulConnection,
): Promise<boolean> {
  const { idpId } = connection;
  if (isReservedAccount(context.accounts, idpId)) return false;
  await lockReferralOfMember(sql, idpId);
  if (!(await insertFirstConnection(sql, connection))) return false;
  recordOutcome(context, 'first_connection', (await completeReferral(sql, idpId)) ? 'completed' : 'no_change', idpId);
  return true;
}

const MARK_COMPLETED = 'referrals-mark-completed' as TaskName<{ referred: string }>;

/** Accepts a report from an open route. A job verifies the report. */
export const acceptCompletion = (jobs: Pick<Jobs, 'add'>, referred: string): Promise<string> =>
  jobs.add(MARK_COMPLETED, { referred }, REPORT_JOB_OPTIONS);

export const markCompletedTask = (context: ReferralContext): Tasks => ({
  async [MARK_COMPLETED]({ referred }: { referred: string }) {
    recordOutcome(context, 'mark_completed', await markCompleted(context, referred), referred);
  },
});

/** Completes a reported referral only if a first connection is recorded and the referral is not completed yet. */
function markCompleted({ sql }: ReferralContext, referred: string): Promise<ReferralOutcome> {
  return sql.transaction(async (tx) => {
    await lockReferralOfMember(tx, referred);
    return (await completeReferral(tx, referred)) ? 'completed' : 'no_change';
  });
}
