import { z } from 'zod';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Schedule, TaskName, Tasks } from '../../platform/jobs/task.ts';
import { findAttemptOwner, purgeExpired, listUnfinishedAttempts } from './attempt-queries.ts';
import type { ConnectionContext } from './context.ts';
import { finishAttempt } from './finish-attempt.ts';
import { claimOverdueConnections } from './queries.ts';
import { REVOKE_ACCESS } from './enqueue-revocation.ts';
import { revokeAccess } from './remove-connection.ts';
import { listOverdueRevocations } from './encrypted-queries.ts';
import { SYNC_CONNECTION, syncConnection, syncKey } from './sync-connection.ts';

export const FINISH_ATTEMPT = 'finish-connection-attempt' as TaskName<{ attempt_id: string }>;
const POLL_ATTEMPTS = 'poll-connection-attempts';
const SYNC_OVERDUE = 'sync-overdue-connections';

/** Maximum number of items per run. The remaining items follow in the next run. */
const MAX_PER_RUN = 500;

export const connectionSchedules: readonly Schedule[] = [
  // Finishes attempts whose webhook was lost or whose page the member closed.
  { task: POLL_ATTEMPTS, match: '*/5 * * * *' },
  // Syncs every connection once a day, spread over the hours.
  { task: SYNC_OVERDUE, match: '23 * * * *', backfillMinutes: 60 },
];

const attemptJob = z.object({ attempt_id: z.string() });
const syncJob = z.object({ connection_id: z.string(), expiring: z.boolean().optional() });
const revocationJob = z.object({ removal_id: z.string() });

/** Creates the tasks of connections. Payloads contain only our own ids: neither a token nor a member. */
export function connectionTasks(context: ConnectionContext, jobs: Pick<Jobs, 'addAll'>): Tasks {
  const { sql } = context;
  const providers = context.aggregators.map(({ provider }) => provider);
  return {
    [FINISH_ATTEMPT]: async (payload: unknown) => {
      const { attempt_id: id } = attemptJob.parse(payload);
      const idpId = await findAttemptOwner(sql, id);
      if (idpId !== undefined) await finishAttempt(context, { idpId, id });
    },
    [SYNC_CONNECTION]: (payload: unknown) => syncConnection(context, syncJob.parse(payload)),
    [REVOKE_ACCESS]: (payload: unknown) => revokeAccess(context, revocationJob.parse(payload).removal_id),
    [POLL_ATTEMPTS]: async () => {
      const unfinishedIds = (await listUnfinishedAttempts(sql, providers, MAX_PER_RUN)).sort();
      await jobs.addAll(
        unfinishedIds.map((id) => ({ task: FINISH_ATTEMPT, payload: { attempt_id: id }, key: `finish-attempt:${id}` })),
      );
    },
    [SYNC_OVERDUE]: async () => {
      const overdueIds = (await claimOverdueConnections(sql, providers, MAX_PER_RUN)).sort();
      await jobs.addAll(
        overdueIds.map((id) => ({
          task: SYNC_CONNECTION,
          payload: { connection_id: id },
          key: syncKey(id),
          maxAttempts: 8,
        })),
      );
      const revocationIds = (await listOverdueRevocations(sql, providers, MAX_PER_RUN)).sort();
      await jobs.addAll(
        revocationIds.map((id) => ({ task: REVOKE_ACCESS, payload: { removal_id: id }, key: `revoke-access:${id}` })),
      );
      await purgeExpired(sql);
    },
  };
}
