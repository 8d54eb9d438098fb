import { isTimeout, type ReadOnly } from '../../../platform/database/read-only.ts';
import { Failure } from '../../../errors.ts';
import type { SharedLimits } from '../../../platform/http/shared-limits.ts';

/** Statement time is counted in units of so many milliseconds; each statement takes at least one. */
const UNIT_MS = 50;
/** Statements that a member may have under way in this process: one runs, the others wait for it. */
const MAX_AT_ONCE = 4;
const RETRY_SECONDS = 2;

/**
 * Gives each member so many seconds of statement time in any 60. A statement that timed out takes the whole budget.
 * Beyond it, and beyond four statements at once, `run` throws RATE_LIMITED with the seconds to wait.
 */
export function limitStatementTime(
  readOnly: ReadOnly,
  seconds: number,
  limiterOf: SharedLimits['limiter'],
): Pick<ReadOnly, 'run'> {
  const units = (seconds * 1000) / UNIT_MS;
  const limiter = limiterOf({ name: 'sql-time', limit: units });
  const underWay = new Map<string, number>();
  const charge = async (idpId: string, count: number): Promise<void> =>
    void (await Promise.all(Array.from({ length: count }, async () => limiter.take(idpId))));

  return {
    async run(idpId, text, caps) {
      const others = underWay.get(idpId) ?? 0;
      if (others >= MAX_AT_ONCE)
        throw new Failure('RATE_LIMITED', {
          retryAfter: RETRY_SECONDS,
          message: `You have ${MAX_AT_ONCE} SQL statements under way; wait for them.`,
        });
      underWay.set(idpId, others + 1);
      try {
        const left = await limiter.look(idpId);
        if (!left.ok)
          throw new Failure('RATE_LIMITED', {
            retryAfter: left.retryAfter,
            message:
              `Your SQL has used its ${seconds} seconds of this minute (a statement that takes too long uses all of ` +
              `them); wait ${Math.ceil(left.retryAfter)} seconds and ask for less at a time.`,
          });
        const answer = await readOnly.run(idpId, text, caps);
        await charge(idpId, isTimeout(answer) ? units : Math.ceil(answer.milliseconds / UNIT_MS));
        return answer;
      } finally {
        const left = underWay.get(idpId)! - 1;
        if (left === 0) underWay.delete(idpId);
        else underWay.set(idpId, left);
      }
    },
  };
}
