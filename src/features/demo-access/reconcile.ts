import { z } from 'zod';
import type { Schedule, TaskName, Tasks } from '../../platform/jobs/task.ts';
import type { DemoAccessContext } from './context.ts';
import { END_SESSION, retryEndSession } from './end-session.ts';
import { revokeInvitation } from './revoke-invitation.ts';
import { claimDueRevocations } from './revocation-queries.ts';

const RECONCILE = 'demo-access-reconcile' as TaskName<Record<string, never>>;
/** Revocations that one minute tries again. */
const MAX_REVOCATIONS_PER_RUN = 20;

/** Every minute, one run after another. */
export const demoAccessSchedules: readonly Schedule[] = [
  { task: RECONCILE, match: '* * * * *', queue: 'demo-access-reconcile' },
];

const payload = z.object({ session_id: z.string(), invitation_id: z.string().nullable() });

/** What is done again until the provider confirms it. */
export function createDemoAccessTasks(deps: DemoAccessContext): Tasks {
  return {
    [RECONCILE]: async (_payload, { signal }) => {
      for (const { id } of await claimDueRevocations(deps.sql, MAX_REVOCATIONS_PER_RUN)) {
        if (signal.aborted) return; // what was claimed is due again later
        await revokeInvitation(deps, id, { actor: 'reconciler', requestId: null });
      }
    },
    [END_SESSION]: async (job: z.infer<typeof payload>) => {
      const { session_id: sessionId, invitation_id: invitationId } = payload.parse(job);
      await retryEndSession(deps, { sessionId, invitationId });
    },
  };
}
