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

/** Milliseconds after which a job looks whether the session is over; the call below it takes ten seconds at most. */
const LATER_MS = 30_000;

/**
 * Ends a session of the demo account that could not be bound; never one that an invitation names. A job is added first:
 * it goes on where the provider does not confirm the end, or this process is gone. Never throws.
 */
export async function endUnboundSession(deps: DemoAccessContext, ended: Ended, by: By): Promise<void> {
  const { sql, logger } = deps;
  const { sessionId, invitationId } = ended;
  try {
    if (await isBound(deps, sessionId)) return;
  } catch (err) {
    logger.error({ err, session: sessionId }, 'a session that may be bound was left to the gate');
    return;
  }
  const options = { key: `demo-access-end-session:${sessionId}`, runAt: new Date(Date.now() + LATER_MS) };
  await addJobIn(sql, END_SESSION, { session_id: sessionId, invitation_id: invitationId }, options).catch(
    (err: unknown) => logger.error({ err, session: sessionId }, 'the end of a session could not be added as a job'),
  );
  await revokeSession(deps, ended, by);
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
  return outcome.ok ? outcome.value.user_id === deps.accounts.demoAccountId : outcome.reason === 'not_found';
}
