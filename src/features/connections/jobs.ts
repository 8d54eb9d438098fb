import { z } from 'zod';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Schedule, TaskName, Tasks } from '../../platform/jobs/task.ts';
import { findAttemptOwner, forgetOld, listWaiting } from './attempt-queries.ts';
import type { ConnectionContext } from './context.ts';
import { finishAttempt } from './finish-attempt.ts';
import { takeOverdue } from './queries.ts';
import { END_ACCESS } from './queue-removal.ts';
import { endAccess } from './remove-connection.ts';
import { listRemovals } from './sealed-queries.ts';
import { SYNC_CONNECTION, syncConnection, syncKey } from './sync-connection.ts';

export const FINISH_ATTEMPT = 'finish-connection-attempt' as TaskName<{ attempt_id: string }>;
const POLL_ATTEMPTS = 'poll-connection-attempts';
const SWEEP = 'sweep-connections';

/** What one run asks for at most; the rest waits for the next. */
const MOST_AT_ONCE = 500;

export const connectionSchedules: readonly Schedule[] = [
  // What no webhook told of: it was lost, or the person closed the page.
  { task: POLL_ATTEMPTS, match: '*/5 * * * *' },
  // Every connection once a day, an hour's share at a time.
  { task: SWEEP, match: '23 * * * *', backfillMinutes: 60 },
];

const attemptJob = z.object({ attempt_id: z.string() });
const syncJob = z.object({ connection_id: z.string(), expiring: z.boolean().optional() });
const removalJob = z.object({ removal_id: z.string() });

/** Payloads hold ids of ours alone: neither a token nor whose they are. */
export function connectionTasks(ctx: ConnectionContext, jobs: Pick<Jobs, 'addAll'>): Tasks {
  const { sql } = ctx;
  const providers = ctx.aggregators.map(({ provider }) => provider);
  return {
    [FINISH_ATTEMPT]: async (payload: unknown) => {
      const { attempt_id: id } = attemptJob.parse(payload);
      const idpId = await findAttemptOwner(sql, id);
      if (idpId !== undefined) await finishAttempt(ctx, { idpId, id });
    },
    [SYNC_CONNECTION]: (payload: unknown) => syncConnection(ctx, syncJob.parse(payload)),
    [END_ACCESS]: (payload: unknown) => endAccess(ctx, removalJob.parse(payload).removal_id),
    [POLL_ATTEMPTS]: async () => {
      const waiting = (await listWaiting(sql, providers, MOST_AT_ONCE)).sort();
      await jobs.addAll(
        waiting.map((id) => ({ task: FINISH_ATTEMPT, payload: { attempt_id: id }, key: `finish-attempt:${id}` })),
      );
    },
    [SWEEP]: async () => {
      const overdue = (await takeOverdue(sql, providers, MOST_AT_ONCE)).sort();
      await jobs.addAll(
        overdue.map((id) => ({
          task: SYNC_CONNECTION,
          payload: { connection_id: id },
          key: syncKey(id),
          maxAttempts: 8,
        })),
      );
      const removals = (await listRemovals(sql, providers, MOST_AT_ONCE)).sort();
      await jobs.addAll(
        removals.map((id) => ({ task: END_ACCESS, payload: { removal_id: id }, key: `end-access:${id}` })),
      );
      await forgetOld(sql);
    },
  };
}
