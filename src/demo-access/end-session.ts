import { addJobIn } from '../jobs/add-job.ts';
import type { TaskName } from '../jobs/task.ts';
import { audited, type By, tryNoteIn } from './audit.ts';
import type { DemoAccessContext } from './context.ts';
import { selectBound } from './queries.ts';
import { isOver } from './session-facts.ts';

export const END_SESSION = 'demo-access-end-session' as TaskName<{ session_id: string; invitation_id: string | null }>;

interface Ended {
  sessionId: string;
  /** The invitation that it wanted, for the audit. */
  invitationId: string | null;
}

/**
 * Ends a session of the demo account that could not be bound; never one that an invitation names. What the provider
 * does not confirm goes on as a job. Never throws: the gate refuses the session meanwhile.
 */
export async function endUnboundSession(deps: DemoAccessContext, ended: Ended, by: By): Promise<void> {
  const { sql, logger } = deps;
  try {
    if (await isBound(deps, ended.sessionId)) return;
  } catch (err) {
    logger.error({ err, session: ended.sessionId }, 'a session that may be bound was left to the gate');
    return;
  }
  if (await revokeSession(deps, ended, by)) return;
  const payload = { session_id: ended.sessionId, invitation_id: ended.invitationId };
  await addJobIn(sql, END_SESSION, payload, { key: `demo-access-end-session:${ended.sessionId}` }).catch(
    (err: unknown) =>
      logger.error({ err, session: ended.sessionId }, 'a session that is bound to no invitation could not be ended'),
  );
}

/** The job's try: looks first whose the session is. Throws where the provider does not confirm it. */
export async function endSessionLater(deps: DemoAccessContext, ended: Ended): Promise<void> {
  const found = await deps.provider.getSession(ended.sessionId);
  if (!found.ok) {
    if (found.reason === 'not_found') return;
    throw new Error(`The session ${ended.sessionId} could not be looked up.`);
  }
  const { user_id } = found.value;
  if (user_id !== deps.accounts.demoAccountId || isOver(found.value) || (await isBound(deps, ended.sessionId))) return;
  if (!(await revokeSession(deps, ended, { actor: 'reconciler', requestId: null })))
    throw new Error(`The end of the session ${ended.sessionId} is not confirmed.`);
}

const isBound = async ({ sql }: DemoAccessContext, id: string): Promise<boolean> =>
  (await selectBound(sql, [id])).has(id);

async function revokeSession(deps: DemoAccessContext, { sessionId, invitationId }: Ended, by: By): Promise<boolean> {
  const subject = { ...by, action: 'session.revoke', invitationId, sessionId };
  const outcome = await audited(tryNoteIn(deps), subject, () => deps.provider.revokeSession(sessionId));
  return outcome.ok || outcome.reason === 'not_found';
}
