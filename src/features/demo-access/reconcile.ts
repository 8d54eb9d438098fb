import { z } from 'zod';
import type { Schedule, TaskName, Tasks } from '../../platform/jobs/task.ts';
import type { DemoAccessContext } from './context.ts';
import { END_SESSION, retryEndSession } from './end-session.ts';
import { revokeInvitation } from './revoke-invitation.ts';
import { claimDueRevocations } from './revocation-queries.ts';

const RECONCILE = 'demo-access-reconcile' as TaskName<Record<string, never>>;
/** Maximum number of revocations repeated per run. */
const MAX_REVOCATIONS_PER_RUN = 20;

/** Runs every minute, one run at a time. */
export const demoAccessSchedules: readonly Schedule[] = [
  { task: RECONCILE, match: '* * * * *', queue: 'demo-access-reconcile' },
];

const payload = z.object({ session_id: z.string(), invitation_id: z.string().nullable() });

/** Creates the tasks that repeat unconfirmed operations until the provider confirms them. */
export function createDemoAccessTasks(context: DemoAccessContext): Tasks {
  return {
    [RECONCILE]: async (_payload, { signal }) => {
      for (const { id } of await claimDueRevocations(context.sql, MAX_REVOCATIONS_PER_RUN)) {
        if (signal.aborted) return; // claimed revocations become due again later
        await revokeInvitation(context, id, { actor: 'reconciler', requestId: null });
      }
    },
    [END_SESSION]: async (job: z.infer<typeof payload>) => {
      const { session_id: sessionId, invitation_id: invitationId } = payload.parse(job);
      await retryEndSession(context, { sessionId, invitationId });
    },
  };
}
