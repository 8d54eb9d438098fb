import { isTimeout, type ReadOnly } from '../../../platform/database/read-only.ts';
import { AppError } from '../../../errors.ts';
import { createTimeBudget, UNIT_MS } from '../../../platform/fairness/time-budget.ts';
import type { SharedRateLimits } from '../../../platform/http/redis-rate-limiter.ts';

/** Maximum number of pending statements per member in this process: one runs and the others wait. */
export const MAX_PENDING_STATEMENTS = 4;
const RETRY_AFTER_SECONDS = 2;

/**
 * Limits each member to a number of seconds of statement time in any 60 seconds. Each statement costs at least one unit,
 * and one that timed out the whole budget. Beyond the budget, and beyond the pending statements of a member, `run`
 * throws RATE_LIMITED with the seconds to wait.
 */
export function limitStatementTime(
  readOnly: ReadOnly,
  seconds: number,
  createLimiter: SharedRateLimits['createLimiter'],
): Pick<ReadOnly, 'run'> {
  const budget = createTimeBudget({ name: 'sql-time', seconds, createLimiter });
  const runningByMember = new Map<string, number>();

  return {
    async run(idpId, text, limits) {
      const running = runningByMember.get(idpId) ?? 0;
      if (running >= MAX_PENDING_STATEMENTS)
        throw new AppError('RATE_LIMITED', {
          retryAfter: RETRY_AFTER_SECONDS,
          message: `You have ${MAX_PENDING_STATEMENTS} SQL statements in progress; wait for them.`,
        });
      runningByMember.set(idpId, running + 1);
      try {
        const remaining = await budget.check(idpId);
        if (!remaining.ok)
          throw new AppError('RATE_LIMITED', {
            retryAfter: remaining.retryAfter,
            message:
              `Your SQL has used its ${seconds} seconds of this minute (a statement that takes too long uses all of ` +
              `them); wait ${Math.ceil(remaining.retryAfter)} seconds and request less data.`,
          });
        const result = await readOnly.run(idpId, text, limits);
        await (isTimeout(result)
          ? budget.exhaust(idpId)
          : budget.charge(idpId, Math.max(UNIT_MS, result.milliseconds)));
        return result;
      } finally {
        const stillRunning = runningByMember.get(idpId)! - 1;
        if (stillRunning === 0) runningByMember.delete(idpId);
        else runningByMember.set(idpId, stillRunning);
      }
    },
  };
}
