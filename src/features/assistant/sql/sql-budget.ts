import { isTimeout, type ReadOnly } from '../../../platform/database/read-only.ts';
import { AppError } from '../../../errors.ts';
import type { SharedRateLimits } from '../../../platform/http/redis-rate-limiter.ts';

/** Unit of statement time in ms. Each statement costs at least one unit. */
const UNIT_MS = 50;
/** Maximum number of pending statements per member in this process: one runs and the others wait. */
const MAX_CONCURRENT_STATEMENTS = 4;
const RETRY_AFTER_SECONDS = 2;

/**
 * Limits each member to a number of seconds of statement time in any 60 seconds. A statement that timed out costs the
 * whole budget. Beyond the budget, and beyond four concurrent statements, `run` throws RATE_LIMITED with the seconds to
 * wait.
 */
export function limitStatementTime(
  readOnly: ReadOnly,
  seconds: number,
  createLimiter: SharedRateLimits['createLimiter'],
): Pick<ReadOnly, 'run'> {
  const units = (seconds * 1000) / UNIT_MS;
  const limiter = createLimiter({ name: 'sql-time', limit: units });
  const runningByMember = new Map<string, number>();
  const consumeUnits = async (idpId: string, count: number): Promise<void> => {
    await Promise.all(Array.from({ length: count }, async () => limiter.consume(idpId)));
  };

  return {
    async run(idpId, text, limits) {
      const running = runningByMember.get(idpId) ?? 0;
      if (running >= MAX_CONCURRENT_STATEMENTS)
        throw new AppError('RATE_LIMITED', {
          retryAfter: RETRY_AFTER_SECONDS,
          message: `You have ${MAX_CONCURRENT_STATEMENTS} SQL statements in progress; wait for them.`,
        });
      runningByMember.set(idpId, running + 1);
      try {
        const remaining = await limiter.peek(idpId);
        if (!remaining.ok)
          throw new AppError('RATE_LIMITED', {
            retryAfter: remaining.retryAfter,
            message:
              `Your SQL has used its ${seconds} seconds of this minute (a statement that takes too long uses all of ` +
              `them); wait ${Math.ceil(remaining.retryAfter)} seconds and request less data.`,
          });
        const result = await readOnly.run(idpId, text, limits);
        await consumeUnits(idpId, isTimeout(result) ? units : Math.ceil(result.milliseconds / UNIT_MS));
        return result;
      } finally {
        const stillRunning = runningByMember.get(idpId)! - 1;
        if (stillRunning === 0) runningByMember.delete(idpId);
        else runningByMember.set(idpId, stillRunning);
      }
    },
  };
}
