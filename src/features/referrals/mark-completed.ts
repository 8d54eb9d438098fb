import type { ServiceSql } from '../../platform/database/roles.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { TaskName, Tasks } from '../../platform/jobs/task.ts';
import { isSpecial, note, type ReferralContext, REPORT_JOB } from './context.ts';
import type { ReferralOutcome } from './metrics.ts';
import { completeReferral, insertFirstConnection, lockReferred, type SuccessfulConnection } from './queries.ts';

/**
 * Notes a member's first connection and completes their referral, in the transaction that stores the connection; later
 * ones change nothing. Call it first in that transaction: it takes the lock that tracking takes, and without it a
 * sign-up that is tracked meanwhile would stay uncompleted. Returns whether it was the first.
 */
export async function recordConnection(
  context: ReferralContext,
  sql: ServiceSql,
  connection: SuccessfulConnection,
): Promise<boolean> {
  const { idpId } = connection;
  if (isSpecial(context.accounts, idpId)) return false;
  await lockReferred(sql, idpId);
  if (!(await insertFirstConnection(sql, connection))) return false;
  note(context, 'first_connection', (await completeReferral(sql, idpId)) ? 'completed' : 'no_change', idpId);
  return true;
}

const MARK_COMPLETED = 'referrals-mark-completed' as TaskName<{ referred: string }>;

/** Accepts what anyone reported; a job looks whether it holds. */
export const acceptCompletion = (jobs: Pick<Jobs, 'add'>, referred: string): Promise<string> =>
  jobs.add(MARK_COMPLETED, { referred }, REPORT_JOB);

export const markCompletedTask = (context: ReferralContext): Tasks => ({
  async [MARK_COMPLETED]({ referred }: { referred: string }) {
    note(context, 'mark_completed', await markCompleted(context, referred), referred);
  },
});

/** What anyone reported: counts only where a first connection is noted and the referral is not completed yet. */
export function markCompleted({ sql }: ReferralContext, referred: string): Promise<ReferralOutcome> {
  return sql.transaction(async (tx) => {
    await lockReferred(tx, referred);
    return (await completeReferral(tx, referred)) ? 'completed' : 'no_change';
  });
}
